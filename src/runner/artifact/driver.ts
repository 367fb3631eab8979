/**
 * The program that uses a package as anybody would, as text, since a bundle has no second file to start from. It reads
 * what to call from its standard input, and prints each answer as one line, with the nonce it was given: it has no more
 * than the three usual descriptors, and whatever else is printed lacks the nonce. What it needs of the language it takes
 * before the package is loaded; arguments exist before that as well. It knows no expected answer. Its names are those of an ordinary program: they stand in every stack.
 */
export const driverText = String.raw`'use strict';
const { readFileSync, writeSync } = require('node:fs');
const { types } = require('node:util');
const { apply, getPrototypeOf, defineProperty } = Reflect;
const free = (method) => (self, ...rest) => apply(method, self, rest);
const getter = (object, key) => free(Object.getOwnPropertyDescriptor(object, key).get);
const quote = JSON.stringify;
const parse = JSON.parse;
const { keys, is } = Object;
const { isArray } = Array;
const { isFinite } = Number;
const { isView } = ArrayBuffer;
const { from: bufferFrom } = Buffer;
const text = String;
const plain = Object.prototype;
const failure = Error.prototype;
const owns = free(plain.hasOwnProperty);
const codeAt = free(String.prototype.charCodeAt);
const well = free(String.prototype.isWellFormed);
const toIso = free(Date.prototype.toISOString);
const toTime = free(Date.prototype.getTime);
const patternSource = getter(RegExp.prototype, 'source');
const patternFlags = getter(RegExp.prototype, 'flags');
const eachOfMap = free(Map.prototype.forEach);
const eachOfSet = free(Set.prototype.forEach);
const addToMap = free(Map.prototype.set);
const addToSet = free(Set.prototype.add);
const digits = free(BigInt.prototype.toString);
const symbolText = free(Symbol.prototype.toString);
const bufferText = free(Buffer.prototype.toString);
const [MapOf, SetOf, DateOf, PatternOf, BigOf, NumberOf] = [Map, Set, Date, RegExp, BigInt, Number];
const exit = process.exit;
const here = require;

const put = (object, key, value) =>
  defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });

function revive(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (isArray(value)) return value.map(revive);
  const names = keys(value);
  const [name] = names;
  if (names.length === 1 && /^[$][^$]/.test(name)) return special(name, value[name]);
  const object = {};
  for (const key of names) put(object, key.startsWith('$') ? key.slice(1) : key, revive(value[key]));
  return object;
}

function special(name, value) {
  if (name === '$number') return NumberOf(value);
  if (name === '$bigint') return BigOf(value);
  if (name === '$date') return new DateOf(value);
  if (name === '$buffer') return bufferFrom(value, 'base64');
  if (name === '$set') return new SetOf(value.map(revive));
  if (name === '$map') return new MapOf(value.map(revive));
  if (name === '$regexp') {
    const end = value.lastIndexOf('/');
    return new PatternOf(value.slice(1, end), value.slice(end + 1));
  }
  return undefined;
}

const marked = (name, value) => '{"$' + name + '":' + value + '}';
const quoted = (value) => (well(value) ? quote(value) : marked('utf16', unitsOf(value)));

function unitsOf(value) {
  let list = '';
  for (let i = 0; i < value.length; i += 1) list += (i ? ',' : '') + codeAt(value, i);
  return '[' + list + ']';
}

function told(value, up) {
  switch (typeof value) {
    case 'string': return quoted(value);
    case 'boolean': return value ? 'true' : 'false';
    case 'number':
      return isFinite(value) && !is(value, -0) ? quote(value) : marked('number', is(value, -0) ? '"-0"' : quote(text(value)));
    case 'bigint': return marked('bigint', quote(digits(value)));
    case 'undefined': return marked('undefined', 'true');
    case 'symbol': return marked('symbol', quoted(symbolText(value)));
    case 'function': return marked('function', typeof value.name === 'string' ? quoted(value.name) : '""');
    default: return value === null ? 'null' : nested(value, up);
  }
}

function nested(value, up) {
  const depth = up === undefined ? 0 : up.depth + 1;
  for (let link = up; link !== undefined; link = link.up)
    if (link.value === value) return marked('cycle', quote(link.depth));
  if (depth > 60) throw new TypeError('nested too deeply');
  const link = { value, up, depth };
  if (isArray(value)) return list(value, link);
  if (types.isDate(value)) return marked('date', is(toTime(value), NaN) ? 'null' : quote(toIso(value)));
  if (types.isRegExp(value)) return marked('regexp', quoted('/' + patternSource(value) + '/' + patternFlags(value)));
  if (types.isMap(value)) return marked('map', pairs(value, link));
  if (types.isSet(value)) return marked('set', members(value, link));
  if (isView(value) || types.isAnyArrayBuffer(value)) return bytes(value);
  const kind = getPrototypeOf(value);
  if (kind === null || kind === plain || (getPrototypeOf(kind) === null && owns(kind, 'isPrototypeOf')))
    return properties(value, link, false);
  if (types.isNativeError(value) || descends(kind, failure))
    return marked('error', '[' + told(value.name, link) + ',' + told(value.message, link) + ',' + properties(value, link, false) + ']');
  return instance(value, kind, link);
}

function descends(kind, from) {
  for (let at = kind; at !== null; at = getPrototypeOf(at)) if (at === from) return true;
  return false;
}

function list(value, link) {
  let items = '';
  for (let i = 0; i < value.length; i += 1)
    items += (i ? ',' : '') + (owns(value, i) ? told(value[i], link) : marked('hole', 'true'));
  const more = properties(value, link, true);
  return more === '{}' ? '[' + items + ']' : marked('array', '[[' + items + '],' + more + ']');
}

function properties(value, link, beyond) {
  const names = keys(value);
  let all = '';
  for (let i = beyond ? value.length - holes(value) : 0; i < names.length; i += 1) {
    const name = names[i];
    const key = codeAt(name, 0) === 36 ? '$' + name : name;
    all += (all === '' ? '' : ',') + quote(key) + ':' + told(value[name], link);
  }
  return '{' + all + '}';
}

function holes(value) {
  let count = 0;
  for (let i = 0; i < value.length; i += 1) if (!owns(value, i)) count += 1;
  return count;
}

function pairs(map, link) {
  let all = '';
  eachOfMap(map, (value, key) => {
    all += (all === '' ? '' : ',') + '[' + told(key, link) + ',' + told(value, link) + ']';
  });
  return '[' + all + ']';
}

function members(set, link) {
  let all = '';
  eachOfSet(set, (value) => {
    all += (all === '' ? '' : ',') + told(value, link);
  });
  return '[' + all + ']';
}

function bytes(value) {
  const buffer = isView(value) ? bufferFrom(value.buffer, value.byteOffset, value.byteLength) : bufferFrom(value);
  const base64 = quote(bufferText(buffer, 'base64'));
  const name = nameOf(getPrototypeOf(value));
  return name === 'Buffer' ? marked('buffer', base64) : marked('view', '[' + quoted(name) + ',' + base64 + ']');
}

function nameOf(kind) {
  const maker = kind === null ? undefined : kind.constructor;
  return typeof maker === 'function' && typeof maker.name === 'string' ? maker.name : '';
}

function instance(value, kind, link) {
  const more = typeof value.toJSON === 'function' ? '{"json":' + told(value.toJSON(), link) + '}' : '{"text":' + quoted(text(value)) + '}';
  return marked('instance', '[' + quoted(nameOf(kind)) + ',' + properties(value, link, false) + ',' + more + ']');
}

const asked = [
  'ERR_REQUIRE_ESM', 'ERR_REQUIRE_ASYNC_MODULE', 'ERR_REQUIRE_CYCLE_MODULE', 'ERR_PACKAGE_PATH_NOT_EXPORTED',
];

async function load(way, name) {
  if (way !== 'import') {
    try {
      return { module: here(name) };
    } catch (error) {
      const code = error === null || error === undefined ? '' : error.code;
      let needed = false;
      for (let i = 0; i < asked.length; i += 1) if (asked[i] === code) needed = true;
      if (way === 'require' || !needed) throw error;
    }
  }
  return { module: await import(name) };
}

function find(module, path) {
  let holder;
  let value = module;
  for (let i = 0; i < path.length; i += 1) {
    const whole = i === 0 && path[i] === 'default';
    const named = module !== null && module !== undefined && (types.isModuleNamespaceObject(module) || module.__esModule === true);
    if (whole && !(named && 'default' in module)) continue;
    if (value === null || value === undefined) return { holder, value: undefined };
    holder = value;
    value = value[path[i]];
  }
  return { holder, value };
}

const messageOf = (error) => {
  const message = typeof error === 'object' && error !== null ? error.message : error;
  return typeof message === 'string' ? message : text(message);
};

async function answer(job) {
  let found;
  try {
    const { module } = await load(job.way, job.name);
    if (job.path === null) return ['returned', 'null'];
    found = find(module, job.path);
  } catch (error) {
    return ['unloaded', quoted(messageOf(error))];
  }
  const { holder, value } = found;
  if (typeof value !== 'function')
    return job.args === undefined && value !== undefined ? ['returned', told(value)] : ['absent', 'null'];
  let result;
  let later = false;
  try {
    result = apply(value, holder, job.args === undefined ? [] : job.args);
    later = result !== null && typeof result === 'object' && typeof result.then === 'function';
    if (later) result = await result;
  } catch (error) {
    return ['threw', quoted(messageOf(error))];
  }
  return [later ? 'resolved' : 'returned', told(result)];
}

function print(said) {
  const all = bufferFrom(said);
  for (let at = 0; at < all.length; ) {
    try {
      at += writeSync(1, all, at, all.length - at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

async function main() {
  const { mark, jobs } = parse(readFileSync(0, 'utf8'));
  for (let i = 0; i < jobs.length; i += 1) {
    if (jobs[i].args !== undefined) jobs[i].args = jobs[i].args.map(revive);
  }
  for (let i = 0; i < jobs.length; i += 1) {
    let line;
    try {
      const result = await answer(jobs[i]);
      line = quote(result[0]) + ',' + result[1];
    } catch (error) {
      line = '"untold","' + 'cannot be written down"';
    }
    print('\n[' + quote(mark) + ',' + quote(jobs[i].number) + ',' + line + ']\n');
  }
  exit(0);
}

main();
`;
