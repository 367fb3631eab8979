#!/bin/sh
# The nine points before the plan of a task is made: verify-requirements-exit.sh TASK, in the worktree of the task.
# The session is named in CURRENT_SESSION_ID or COUNTERSIGN_SESSION. Exit 0: all passed; 1: the first that failed ends it.
exec countersign gate "$1" synthesize --stop-at-first --trigger hook
