import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RELEASE } from '../server/config/release.ts';
import { type Contract, presentContract } from './api-contract.ts';
import { type ContractChange, contractChanges } from './contract-changes.ts';
import { ROOT } from './steps.ts';

/** The contract of the last release. */
const BASELINE = join(ROOT, 'docs/api-contract.json');
/** Breaking changes that are meant, and the changes of each release. */
const HISTORY = join(ROOT, 'docs/api-changes.json');

interface History {
  /** Breaking changes since the last release, as `npm run docs` phrases them, each with its reason. */
  readonly declared: Readonly<Record<string, string>>;
  readonly releases: readonly { readonly release: string; readonly changes: readonly string[] }[];
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const readHistory = (): History => read(HISTORY) as History;

/** Returns the changes since the last release. */
export const changesSinceRelease = (): ContractChange[] =>
  contractChanges(read(BASELINE) as Contract, presentContract());

/** Returns breaking changes that nobody declared, and declarations of what did not change. */
export function undeclaredChanges(changes: readonly ContractChange[]): string[] {
  const { declared } = readHistory();
  const breaking = changes.filter(({ isBreaking }) => isBreaking).map(({ text }) => text);
  const missing = breaking.filter((text) => !Object.hasOwn(declared, text));
  const idle = Object.keys(declared).filter((text) => !breaking.includes(text));
  return [...missing, ...idle.map((text) => `declared, but not changed: ${text}`)];
}

/** The page of changes, newest first. */
export function describeChanges(): string {
  const { declared, releases } = readHistory();
  const present = changesSinceRelease().map(({ text }) => withReason(text, declared[text]));
  const parts = [{ release: 'Since the last release', changes: present }, ...releases];
  return parts
    .map(({ release, changes }) => {
      const lines = changes.length > 0 ? changes.map((text) => `- ${text}`).join('\n') : 'No changes.';
      return `## ${release}\n\n${lines}\n`;
    })
    .join('\n');
}

const withReason = (text: string, reason: string | undefined): string =>
  reason === undefined ? text : `**Breaking:** ${text}. ${reason}`;

/** Makes the present contract that of this release, and files its changes under it: `npm run docs -- --release`. */
export function recordRelease(): void {
  const { declared, releases } = readHistory();
  const changes = changesSinceRelease().map(({ text }) => withReason(text, declared[text]));
  const history: History = { declared: {}, releases: [{ release: RELEASE, changes }, ...releases] };
  writeFileSync(HISTORY, `${JSON.stringify(history, null, 2)}\n`);
  writeFileSync(BASELINE, contractText(presentContract()));
}

/** One line for each route and type. */
const contractText = (contract: Contract): string => {
  const lines = (part: object) =>
    Object.entries(part).map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`);
  const { routes, types } = contract;
  return `{"routes":{\n${lines(routes).join(',\n')}\n},"types":{\n${lines(types).join(',\n')}\n}}\n`;
};
