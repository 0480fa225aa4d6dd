import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Figure, isMet } from './figure.ts';

// `npm run bench` takes all figures, `npm run bench -- start memory` only those. It fails when a bench breaks, not when a
// bar is missed: that is for a person to judge, on a machine that does nothing else. `compare` takes a commit and is run alone.
const PARTS = [
  'acceptance',
  'acceptance-costs',
  'key-cost',
  'access',
  'authority',
  'listing',
  'removal',
  'vacuum',
  'contacts',
  'inbound',
  'lines',
  'line-cpu',
  'work',
  'costs',
  'routes',
  'start',
  'telemetry',
  'memory',
  'served',
  'window',
  'documents',
  'documents-memory',
  'large-document',
  'printing',
  'preview',
  'first-page',
  'console',
  'annotating',
  'cover',
  'inbox',
  'reader',
  'keys',
  'desk',
  'switch',
  'broadcast',
  'triage',
  'shift',
  'edge',
  'encryption',
  'encoded-pages',
  'direct',
  'evidence',
  'backup',
  'upgrade',
  'move',
  'gateways',
];

const [first, ...others] = process.argv.slice(2);
const isComparison = first === 'compare';
if (isComparison && others.length !== 1) {
  console.error('npm run bench -- compare <commit, or the folder of a checkout>');
  process.exit(2);
}
const wanted = first === undefined || isComparison ? [] : [first, ...others];
const unknown = wanted.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) {
  console.error(`There is no bench "${unknown.join('", "')}"; there are ${PARTS.join(', ')}.`);
  process.exit(2);
}
const figures: Figure[] = [];
for (const part of isComparison ? ['compare'] : wanted.length > 0 ? wanted : PARTS) {
  const file = new URL(`./${part}.ts`, import.meta.url);
  if (!existsSync(fileURLToPath(file))) continue;
  console.error(`${part} …`);
  try {
    const { run } = (await import(file.href)) as { run(words: readonly string[]): Promise<Figure[]> };
    figures.push(...(await run(others)));
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
}
for (const line of tableOf(figures)) console.log(line);
// The process of documents that gateways in this process share is kept for the next one, and would keep this one alive.
process.exit();

function tableOf(rows: readonly Figure[]): string[] {
  const cells = rows.map((figure) => [
    figure.name,
    `${figure.ratio} ${figure.unit}`,
    barOf(figure),
    verdictOf(figure),
    figure.detail,
  ]);
  const table = [['figure', 'ratio', 'bar', '', 'detail'], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Empty for a figure without a bar. */
function verdictOf(figure: Figure): string {
  if (!hasBar(figure)) return '';
  return isMet(figure) ? 'met' : 'missed';
}

/** Nothing can be below 0, and of some things there may be none. */
function hasBar({ bar, atMost }: Figure): boolean {
  return bar !== 0 || atMost === true;
}

function barOf(figure: Figure): string {
  const { bar, atMost } = figure;
  if (!hasBar(figure)) return '';
  return `${atMost ? 'at most' : 'at least'} ${bar}`;
}
