/** One call of a tool in a transcript. */
export interface TranscriptCall {
  readonly tool: string;
  /** The file that it names, '' for none. */
  readonly path: string;
  /** The shell line that it runs, '' for none. */
  readonly line: string;
}

/** A message of the session's own agent with at least one call of a tool. */
export interface TranscriptMessage {
  readonly id: string;
  /** ISO 8601, '' where the line has none. */
  readonly at: string;
  readonly calls: readonly TranscriptCall[];
}

interface Line {
  readonly type?: unknown;
  readonly timestamp?: unknown;
  readonly isSidechain?: unknown;
  readonly uuid?: unknown;
  readonly message?: { readonly id?: unknown; readonly content?: unknown };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Reads a transcript of Claude Code, one JSON document a line: a message stands on as many lines as it has parts, under one id.
 * What sub-agents did is left out, and so is a line that cannot be read (PROTO-91).
 */
export function messagesIn(transcript: string): readonly TranscriptMessage[] {
  const found = new Map<string, TranscriptMessage>();
  for (const written of transcript.split('\n')) {
    const line = parsed(written);
    if (line === undefined || line.type !== 'assistant' || line.isSidechain === true) continue;
    const calls = callsIn(line.message?.content);
    if (calls.length === 0) continue;
    const id = text(line.message?.id) || text(line.uuid) || `line ${found.size + 1}`;
    const known = found.get(id);
    found.set(id, { id, at: known?.at ?? text(line.timestamp), calls: [...(known?.calls ?? []), ...calls] });
  }
  return [...found.values()];
}

function parsed(written: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(written);
    return typeof line === 'object' && line !== null ? line : undefined;
  } catch {
    return undefined;
  }
}

function callsIn(content: unknown): readonly TranscriptCall[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part): readonly TranscriptCall[] => {
    if (part?.type !== 'tool_use') return [];
    const { file_path: file, path, command } = (part.input ?? {}) as Record<string, unknown>;
    return [{ tool: text(part.name), path: text(file) || text(path), line: text(command) }];
  });
}
