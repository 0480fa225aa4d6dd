import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/steps.ts';

const OPERATING = 'docs/operating';
const DOCUMENTS = [
  'README.md',
  'docs/archives.md',
  'docs/monitoring.md',
  'docs/network.md',
  'docs/scaling.md',
  'docs/storage.md',
  ...readdirSync(join(ROOT, OPERATING)).map((name) => `${OPERATING}/${name}`),
];
const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gmu;
const IN_TEXT = /`((?:npm|node|faxdesk) [^`]+)`/gu;

/** A command as a document has it, without its comment. */
interface DocumentedCommand {
  readonly text: string;
  /** True when it stands in a block to be copied; others are parts of a sentence. */
  readonly isWhole: boolean;
}

/** Every command of npm, Node and Faxdesk in the README and the pages for operators, each once. */
export function documentedCommands(): DocumentedCommand[] {
  const found = new Map<string, DocumentedCommand>();
  for (const document of DOCUMENTS) {
    const page = readFileSync(join(ROOT, document), 'utf8');
    for (const [, kind = '', block = ''] of page.matchAll(FENCE)) {
      for (const line of block.split('\n')) {
        const text = line.replace(/\s+#\s.*$/u, '').trim();
        if (kind === 'sh' && /^(npm|node|faxdesk)\s/u.test(text)) found.set(text, { text, isWhole: true });
      }
    }
    for (const [, text = ''] of page.replaceAll(FENCE, '').matchAll(IN_TEXT))
      if (!found.has(text))
        found.set(text, { text: text.replaceAll(/\s+/gu, ' '), isWhole: text.startsWith('npm ') });
  }
  return [...found.values()];
}

/** Lists the lines of the pages for operators that are typed on a server, by page: those that `documentedCommands` leaves out. */
export function serverLines(): Map<string, string[]> {
  const pages = DOCUMENTS.filter((document) => document.startsWith(OPERATING));
  const lines = pages.map((page): [string, string[]] => {
    const blocks = [...readFileSync(join(ROOT, page), 'utf8').matchAll(FENCE)];
    const typed = blocks.filter(([, kind]) => kind === 'sh').flatMap(([, , block = '']) => block.split('\n'));
    return [page, typed.filter((line) => line !== '' && !/^(npm|node|faxdesk)\s/u.test(line))];
  });
  return new Map(lines.filter(([, typed]) => typed.length > 0));
}
