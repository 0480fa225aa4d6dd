import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/steps.ts';

const DOCUMENTS = ['README.md', 'docs/operations.md', 'docs/monitoring.md'];
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
        const text = (kind === 'ini' ? (/^ExecStart=(.*)$/u.exec(line)?.[1] ?? '') : line)
          .replace(/\s+#\s.*$/u, '')
          .trim();
        if (kind === 'ini' ? text !== '' : kind === 'sh' && /^(npm|node|faxdesk)\s/u.test(text))
          found.set(text, { text, isWhole: true });
      }
    }
    for (const [, text = ''] of page.replaceAll(FENCE, '').matchAll(IN_TEXT))
      if (!found.has(text))
        found.set(text, { text: text.replaceAll(/\s+/gu, ' '), isWhole: text.startsWith('npm ') });
  }
  return [...found.values()];
}
