import { writeSync } from 'node:fs';

/** Outputs whose other side was slow once: a stream may hold a rest, and nothing may overtake it. */
const slow = new Set<1 | 2>();

/**
 * Writes all of a text to standard output (1) or error (2) before it answers. Node's own streams are made only where
 * the other side is slow and would not wait: making them takes as long as a whole small command.
 */
export function writeText(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  try {
    while (!slow.has(fd) && at < bytes.length) at += writeSync(fd, bytes, at);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A reader that closed early (`| head`) is no failure of ours: the command still ends with its own code.
    if (code === 'EPIPE') return;
    if (code !== 'EAGAIN') throw error;
    slow.add(fd);
  }
  if (at < bytes.length) streamOf(fd).write(bytes.subarray(at));
}

function streamOf(fd: 1 | 2): NodeJS.WriteStream {
  const stream = fd === 1 ? process.stdout : process.stderr;
  if (stream.listenerCount('error') === 0) stream.on('error', ignoreClosed);
  return stream;
}

function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
