-- The configuration says whether a project wants worktrees.
ALTER TABLE projects DROP COLUMN worktrees;

-- How the screen was left: the thread shown last in the project, whether the
-- list of threads was hidden, and what is shown of each thread.
ALTER TABLE projects ADD COLUMN last_thread TEXT NOT NULL DEFAULT '';
ALTER TABLE projects ADD COLUMN list_hidden INTEGER NOT NULL DEFAULT 0;
ALTER TABLE threads ADD COLUMN view TEXT NOT NULL DEFAULT ''; -- '': by the window's width

-- The few that are listed wherever the screen is opened.
CREATE INDEX threads_live ON threads (live) WHERE live = 1;
CREATE INDEX threads_needing ON threads (needs_you) WHERE needs_you = 1;
CREATE INDEX threads_viewed ON threads (id, view) WHERE view <> '';
