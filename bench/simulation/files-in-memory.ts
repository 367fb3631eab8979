import { sha256Hex } from '../../src/attestation/digest.ts';
import type { EvidencePort, FilePort } from '../../src/engine/ports.ts';

export function evidenceInMemory(kept: Map<string, Buffer>): EvidencePort {
  return {
    assertShared: () => {},
    put(bytes) {
      const sha256 = sha256Hex(bytes);
      kept.set(sha256, Buffer.from(bytes));
      return sha256;
    },
    get: (sha256) => kept.get(sha256),
  };
}

/** `kept`: what the engine wrote; `written`: what the caller finds in its working tree. */
export function filesInMemory(
  kept: Map<string, string>,
  written: (path: string) => string | undefined,
): FilePort {
  const read = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text));
  return {
    write(folder, name, extension, text) {
      for (let n = 1; ; n++) {
        const path = `${folder}/${name}${n === 1 ? '' : `-${n}`}${extension}`;
        if (kept.has(path)) continue;
        kept.set(path, text);
        return path;
      }
    },
    read: (path) => read(kept.get(path)),
    project: (path, text) => void kept.set(path, text),
    readTree: (path) => read(kept.get(path)),
    readWorking: (path) => read(written(path)),
  };
}
