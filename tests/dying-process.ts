/** The call at which a process dies; from it on every call fails, as of a dead process. */
export interface Fault {
  /** The call that fails, 1-based; 0 = none. */
  at: number;
  side: 'before' | 'after';
  calls: number;
  dead: boolean;
}

/** A process whose calls are counted, and that dies before or after one of them. */
export interface DyingProcess {
  readonly fault: Fault;
  watched<A extends unknown[], R>(name: string, call: (...args: A) => R): (...args: A) => R;
  /** A port whose methods of those names are watched; the others are as they were. */
  watching<P extends object>(port: P, names: readonly (keyof P & string)[]): P;
}

export function dyingProcess(): DyingProcess {
  const fault: Fault = { at: 0, side: 'before', calls: 0, dead: false };
  const broken = (name: string): Error => {
    fault.dead = true;
    return new Error(`the process died at ${name}`);
  };
  const watched: DyingProcess['watched'] =
    (name, call) =>
    (...args) => {
      if (fault.dead) throw broken(name);
      fault.calls += 1;
      const hits = fault.calls === fault.at;
      if (hits && fault.side === 'before') throw broken(name);
      const done = call(...args);
      if (!hits) return done;
      if (done instanceof Promise)
        return done.then(() => {
          throw broken(name);
        }) as typeof done;
      throw broken(name);
    };
  const watching: DyingProcess['watching'] = (port, names) => {
    const changed = Object.fromEntries(
      names.map((name) => [name, watched(name, (port[name] as (...args: unknown[]) => unknown).bind(port))]),
    );
    const descriptors = Object.getOwnPropertyDescriptors(port);
    return Object.defineProperties(
      {},
      { ...descriptors, ...Object.getOwnPropertyDescriptors(changed) },
    ) as typeof port;
  };
  return { fault, watched, watching };
}
