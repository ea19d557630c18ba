// What aside runs inside OpenCode, for one run: it tells the thread's helper,
// by the hook program, what happens, keeps a record of what was said and done,
// and gives a permission the answer that a person chose.
import { spawn } from "node:child_process"
import { appendFile } from "node:fs/promises"

const name = (tool) => (tool === "bash" ? "Bash" : tool.startsWith("aside_") ? "mcp__aside__" + tool.slice(6) : tool)

export const Aside = async ({ client, directory }) => {
  const record = aside.record + "-" + process.pid + ".jsonl"
  const parents = new Map() // of sessions that are sub-agents': the session they work for
  const roles = new Map() // of messages: who wrote them
  let current = "" // the session that the user talks to
  const calls = new Set() // tool calls that are recorded
  const asked = new Map() // requests that are not answered yet, with their calls
  const held = new Map() // requests that the helper is asked about, with the process that waits
  let last = "" // what the agent said last
  let written = Promise.resolve()
  let told = Promise.resolve()

  // run starts the hook program on an event; output is what it printed.
  const run = (event, payload) => {
    const child = spawn(aside.hook[0], [...aside.hook.slice(1), "--agent", "opencode", "--event", event], {
      stdio: ["pipe", "pipe", "ignore"],
    })
    const output = new Promise((done) => {
      let text = ""
      child.stdout.on("data", (part) => (text += part))
      child.on("error", () => done(""))
      child.on("close", () => done(text))
    })
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify({ hook_event_name: event, transcript_path: record, cwd: directory, ...payload }))
    return { child, output }
  }

  // tell tells events one after the other, in their order.
  const tell = (event, payload) => (told = told.then(() => run(event, payload).output))

  const write = (session, line) => {
    const text = JSON.stringify({ cwd: directory, isSidechain: parents.has(session), ...line }) + "\n"
    written = written.then(() => appendFile(record, text, { mode: 0o600 }).catch(() => {}))
  }

  // of names the conversation that a session belongs to, and the sub-agent.
  const of = (session) => {
    let root = session
    while (parents.has(root)) root = parents.get(root)
    return root === session ? { session_id: root } : { session_id: root, agent_id: session, agent_type: "task", transcript_path: "" }
  }

  const begin = (session) => {
    if (session === current) return
    current = session
    tell("SessionStart", { session_id: session, source: "startup" })
  }

  const answer = (p, reply, message) =>
    client._client
      .post({ url: "/permission/" + p.id + "/reply", body: message ? { reply, message } : { reply }, headers: { "Content-Type": "application/json" } })
      .catch(() => {})

  // hold asks the helper, and returns what the hook printed unless the request
  // was answered meanwhile.
  const hold = async (p, payload) => {
    asked.set(p.id, p.tool?.callID)
    await told
    if (!asked.has(p.id)) return ""
    const { child, output } = run("PermissionRequest", { ...of(p.sessionID), tool_use_id: p.tool?.callID, ...payload })
    held.set(p.id, child)
    const text = await output
    return held.delete(p.id) ? text : ""
  }

  // answered tells that a request has its answer, wherever it was given.
  const answered = (p) => {
    const call = asked.get(p.requestID)
    if (!asked.delete(p.requestID)) return
    const child = held.get(p.requestID)
    if (held.delete(p.requestID)) child.kill()
    tell("Replied", { ...of(p.sessionID), tool_use_id: call })
  }

  const permission = async (p) => {
    if (p.permission.startsWith("aside_")) return answer(p, "once") // it only puts a card before the person
    const rules = (p.always ?? []).map((rule) => ({ toolName: name(p.permission), ruleContent: rule }))
    const text = await hold(p, {
      tool_name: name(p.permission),
      tool_input: { ...p.metadata, ...(p.metadata?.command ? {} : { patterns: p.patterns?.join(", ") }) },
      permission_suggestions: rules.length ? [{ type: "addRules", rules, behavior: "allow", destination: "session" }] : [],
    })
    if (!text) return
    const { decision } = JSON.parse(text).hookSpecificOutput
    if (decision.behavior === "deny") return answer(p, "reject", decision.message)
    return answer(p, decision.updatedPermissions ? "always" : "once")
  }

  const part = (p, at) => {
    if (p.type === "text" && p.time?.end && roles.get(p.messageID) === "assistant") {
      if (!parents.has(p.sessionID)) last = p.text
      write(p.sessionID, { type: "assistant", uuid: p.id, timestamp: new Date(p.time.start), message: { content: [{ type: "text", text: p.text }] } })
    }
    if (p.type !== "tool" || p.state.status === "pending") return
    if (!calls.has(p.callID)) {
      calls.add(p.callID)
      const use = { type: "tool_use", id: p.callID, name: name(p.tool), input: p.state.input }
      write(p.sessionID, { type: "assistant", uuid: p.id, timestamp: new Date(p.state.time?.start ?? at), message: { content: [use] } })
    }
    if (p.state.status === "running") return
    const failed = p.state.status === "error"
    const result = { type: "tool_result", tool_use_id: p.callID, content: p.state.output ?? p.state.error ?? "", is_error: failed }
    write(p.sessionID, { type: "user", uuid: p.id, timestamp: new Date(at), message: { content: [result] } })
    tell(failed ? "PostToolUseFailure" : "PostToolUse", { ...of(p.sessionID), tool_name: name(p.tool), tool_use_id: p.callID })
  }

  tell("Ready", {})
  return {
    "chat.message": async ({ sessionID }, { parts }) => {
      if (parents.has(sessionID)) return
      begin(sessionID)
      const prompt = parts.filter((p) => p.type === "text" && !p.synthetic).map((p) => p.text).join("\n")
      await tell("UserPromptSubmit", { session_id: sessionID, prompt })
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      tell("PreToolUse", { ...of(sessionID), tool_name: name(tool), tool_use_id: callID, tool_input: args })
    },
    event: async ({ event: { type, properties: p } }) => {
      switch (type) {
        case "session.created":
          if (p.info.parentID) parents.set(p.info.id, p.info.parentID)
          break
        case "message.updated":
          roles.set(p.info.id, p.info.role)
          break
        case "message.part.updated":
          part(p.part, p.time)
          break
        case "permission.asked":
          permission(p).catch(() => {})
          break
        case "question.asked":
          hold(p, { tool_name: "question", tool_input: { questions: p.questions } }).catch(() => {})
          break
        case "permission.replied":
        case "question.replied":
        case "question.rejected":
          answered(p)
          break
        case "session.idle":
          if (p.sessionID === current) {
            await written
            tell("Stop", { session_id: p.sessionID, last_assistant_message: last })
          }
          break
      }
    },
  }
}
