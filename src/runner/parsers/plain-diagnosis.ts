import { asMapping, type Json } from './json.ts';
import { endOfDiagnosis, indentationOf, SAYS_SOMETHING, startsDiagnosis } from './lean-tap.ts';

/** A TAP text without its plain diagnoses, and what they say by the number that their test points bear. */
export interface Parted {
  readonly text: string;
  readonly diagnoses: readonly Json[];
}

/** Stands between the name of a test point and the number of its diagnosis. */
const MARK = '\u0001';
const MARKED = new RegExp(`^([^]*?)\\s*${MARK}(\\d+)$`);
/** A test point that says no more than its name. */
const POINT = /^\s*(?:not )?ok\b[^#\\{}]*$/;

/** Takes the plain diagnoses out of a text: nothing else of it changes. */
export function partPlainDiagnoses(text: string): Parted {
  const diagnoses: Json[] = [];
  if (text.includes(MARK)) return { text, diagnoses };
  const lines = text.split('\n');
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const point = kept.at(-1) ?? '';
    const end = isDiagnosisOf(point, line) ? endOfDiagnosis(lines, at, indentationOf(line)) : at;
    const block = lines.slice(at, end + 1);
    const found = end === at || opensBraces(lines[end + 1]) ? undefined : plainDiagnosis(block);
    if (found === undefined) {
      kept.push(...block);
    } else {
      kept[kept.length - 1] = `${point.trimEnd()} ${MARK}${diagnoses.length}`;
      diagnoses.push(found);
    }
    at = end;
  }
  return { text: kept.join('\n'), diagnoses };
}

const isDiagnosisOf = (point: string, line: string) =>
  startsDiagnosis(line) && POINT.test(point) && indentationOf(line) === indentationOf(point) + 2;

const opensBraces = (line = '') => line.trim() === '{';

/** What the library found of a test point, with the diagnosis that was taken out before. */
export function withDiagnosis(result: Json, diagnoses: readonly Json[]): Json {
  const [, name, number] = MARKED.exec(String(result.name ?? '')) ?? [];
  if (number === undefined) return result;
  return { ...result, name, diag: asMapping(diagnoses[Number(number)]) };
}

/** The fields that somebody reads. */
const READ = new Set(['type', 'message', 'error', 'expected', 'actual', 'found', 'wanted']);
const FIELD = /^([\w-]+):(?: +(.*))?$/;

/**
 * What somebody reads of a diagnosis, between its two marks, where it is written as plainly as test programs write it;
 * undefined where only a YAML parser can tell. Starting one for each test took most of the time that a report took.
 */
function plainDiagnosis(block: readonly string[]): Json | undefined {
  if (block.at(-1)?.trim() !== '...' || block.some((line) => SAYS_SOMETHING.test(line))) return undefined;
  const found: Record<string, unknown> = {};
  for (const { name, value, below } of fieldsOf(block.slice(1, -1))) {
    const told = READ.has(name) ? toldBy(value, below) : endsWhereFieldsDo(value) || undefined;
    if (name === '' || told === undefined || name in found) return undefined;
    if (READ.has(name)) found[name] = told;
  }
  return found;
}

interface Field {
  /** '' where the line is none. */
  readonly name: string;
  readonly value: string;
  readonly below: readonly string[];
}

function fieldsOf(lines: readonly string[]): readonly Field[] {
  const depth = indentationOf(lines[0] ?? '');
  const fields: Field[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const isHere = indentationOf(line) === depth;
    const [, name = '', value = ''] = (isHere && FIELD.exec(line.slice(depth))) || [];
    const below = linesBelow(lines, at + 1, depth);
    fields.push({ name, value: value.trimEnd(), below });
    at += below.length;
  }
  return fields;
}

function linesBelow(lines: readonly string[], from: number, depth: number): readonly string[] {
  let end = from;
  while (end < lines.length && (lines[end]?.trim() === '' || indentationOf(lines[end] ?? '') > depth))
    end += 1;
  return lines.slice(from, end);
}

const SINGLE = /^'((?:[^']|'')*)'$/;
const DOUBLE = /^"([^"\\]*)"$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const WORDS = /^[A-Za-z][\w./()<>@]*(?: [\w./()<>@]+)*$/;
const MEANT = /^(?:true|false|null|y|yes|n|no|on|off)$/i;

/** Text and numbers alone: what YAML has other words for is left to it. */
function toldBy(value: string, below: readonly string[]): string | number | undefined {
  if (value === '|-') return literal(below);
  if (below.some((line) => line.trim() !== '')) return undefined;
  const [, single] = SINGLE.exec(value) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  const [, double] = DOUBLE.exec(value) ?? [];
  if (double !== undefined) return double;
  if (NUMBER.test(value)) return Number(value);
  return WORDS.test(value) && !MEANT.test(value) ? value : undefined;
}

/** Lines without the indentation of the first; undefined where that is not so simple. */
function literal(lines: readonly string[]): string | undefined {
  const depth = indentationOf(lines[0] ?? '');
  const isPlain = lines.every((line) => line.trim() === '' || /^ *$/.test(line.slice(0, depth)));
  if (depth === 0 || lines[0]?.trim() === '' || !isPlain) return undefined;
  return lines
    .map((line) => line.slice(depth))
    .join('\n')
    .replace(/\n+$/, '');
}

/** Not a quoted or bracketed value that may go on where other fields stand. */
const endsWhereFieldsDo = (value: string) =>
  !/^["'[{]/.test(value) ||
  SINGLE.test(value) ||
  DOUBLE.test(value) ||
  /^(?:\[[^[\]"']*\]|\{[^{}"']*\})$/.test(value);
