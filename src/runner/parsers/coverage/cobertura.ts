import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { asMapping, type Json } from '../json.ts';
import { type CoverageReport, countOf, type FileCoverage, reportOf } from './coverage-report.ts';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
  parseTagValue: false,
  isArray: (name) => ['package', 'class', 'line', 'source'].includes(name),
});

/** Cobertura's XML, as many tools write it. Undefined when it is not well formed, or says something that is no count. */
export function parseCobertura(text: string): CoverageReport | undefined {
  // The usual document type names a file elsewhere, which nobody reads; one with definitions of its own is refused.
  const plain = text.replace(/<!DOCTYPE[^>[]*>/i, '');
  if (/<!DOCTYPE/i.test(plain) || XMLValidator.validate(plain) !== true) return undefined;
  const root = asMapping(asMapping(parser.parse(plain))?.coverage);
  if (root === undefined) return undefined;
  const classes = mappings(asMapping(root.packages)?.package).flatMap((one) =>
    mappings(asMapping(one.classes)?.class),
  );
  const files = classes.map(fileOf);
  if (!files.every((file) => file !== undefined)) return undefined;
  const sources = asMapping(root.sources)?.source;
  const report = reportOf(files, Array.isArray(sources) ? sources.map(String) : []);
  const told = countOf(root['@lines-valid']);
  return told !== undefined && told < report.total ? undefined : report;
}

function fileOf(one: Json): FileCoverage | undefined {
  const lines = new Map<number, boolean>();
  for (const entry of mappings(asMapping(one.lines)?.line)) {
    const [line, hits] = [countOf(entry['@number']), countOf(entry['@hits'])];
    if (line === undefined || hits === undefined) return undefined;
    lines.set(line, hits > 0 || lines.get(line) === true);
  }
  const path = one['@filename'];
  return typeof path === 'string' && path !== '' ? { path, lines } : undefined;
}

const mappings = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.map((item) => asMapping(item) ?? {}) : [];
