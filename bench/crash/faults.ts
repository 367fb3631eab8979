import type { Ports } from '../../src/engine/ports.ts';

/** Where a fault strikes: before the call does anything, or after it did everything and before it answered. */
export type When = 'before' | 'after';

export class InjectedFault extends Error {
  override readonly name = 'InjectedFault';
}

/** Calls of the outside world, counted from 0 while `armed`; `strike` runs at one of them and does not return. */
export interface FaultPlan {
  readonly at: number;
  readonly when: When;
  readonly strike: (call: string) => never;
}

export interface Watched {
  readonly ports: Ports;
  /** Names of the calls made so far, as `store.commit`. */
  readonly calls: readonly string[];
}

const WATCHED = ['store', 'git', 'evidence', 'files', 'runner', 'process'] as const;

/** Ports of which every call is counted, and one may fail. Without a plan they only count. */
export function watch(ports: Ports, plan: FaultPlan | undefined): Watched {
  const calls: string[] = [];
  const meet = (name: string, call: () => unknown): unknown => {
    const struck = plan !== undefined && calls.length === plan.at;
    calls.push(name);
    if (!struck) return call();
    if (plan.when === 'before') plan.strike(name);
    const result = call();
    if (result instanceof Promise) return result.then(() => plan.strike(name));
    return plan.strike(name);
  };
  const signer: Ports['signer'] = (purpose) => meet('signer', () => ports.signer(purpose)) as never;
  const watched = Object.fromEntries(WATCHED.map((name) => [name, watchPort(name, ports[name], meet)]));
  return { ports: { ...ports, ...watched, signer }, calls };
}

/** Closing is no part of an operation: a store is closed after a fault as well. */
const UNCOUNTED = new Set(['close']);

function watchPort<T extends object>(
  name: string,
  port: T,
  meet: (name: string, call: () => unknown) => unknown,
): T {
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function' || UNCOUNTED.has(String(key))) {
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return (...args: unknown[]) => meet(`${name}.${String(key)}`, () => Reflect.apply(value, target, args));
    },
  });
}
