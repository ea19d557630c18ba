-- When the thread's worktree was set up by its project's command.
ALTER TABLE threads ADD COLUMN set_up_at INTEGER NOT NULL DEFAULT 0;

-- The person's answer to what a project wants to run, for that exact text.
CREATE TABLE agreements (
    project TEXT    NOT NULL,
    text    TEXT    NOT NULL,
    agreed  INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (project, text)
) STRICT;
