/** A store that does some things in another way. */
export function delegating<S extends object>(store: S, own: Partial<S>): S {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(name in own ? own : target, name) as unknown;
      return typeof value === 'function' && !(name in own) ? value.bind(target) : value;
    },
  });
}
