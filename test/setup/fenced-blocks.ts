import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/steps.ts';

/** A program of a documentation page, as printed. */
interface FencedBlock {
  /** Word after the fence: `ts`, `sh`, `python`. */
  readonly language: string;
  /** Nearest heading above it. */
  readonly heading: string;
  readonly text: string;
}

const PARTS = /^#{2,} (.+)$|^```(\w+)\n([\s\S]*?)^```$/gmu;

/** Returns the fenced blocks of a page in their order. */
export function fencedBlocks(page: string): FencedBlock[] {
  const found: FencedBlock[] = [];
  let heading = '';
  for (const [, title, language = '', text = ''] of readFileSync(join(ROOT, page), 'utf8').matchAll(PARTS)) {
    if (title === undefined) found.push({ language, heading, text });
    else heading = title;
  }
  return found;
}
