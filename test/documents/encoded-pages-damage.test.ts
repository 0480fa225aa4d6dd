import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DAMAGE_LEVELS, type DamageLevel } from '../fixtures/damage-levels.ts';
import { denseFile, drawnPages, FULL_PAGE_BYTES } from '../fixtures/encoded-message.ts';
import { unlessMissing } from '../fixtures/referees.ts';
import { openWorkspace } from './workspace.ts';

// Each level is tried with a few pages here; ENCODED_PAGES=200 tries so many of each.

const PAGES = Number(process.env['ENCODED_PAGES'] ?? 3);
const providers = unlessMissing('pdftoppm', 'gs');
const workspace = openWorkspace();
afterAll(async () => await workspace.close());

/** Share of the pages that must arrive. */
const leastShare = ({ name }: DamageLevel): number => (name.startsWith('L12 ') ? 0.85 : 1);

/** A page of its own for each number: most are full, every fifth is short, every fourth is A4. */
function contentOf(number: number): { content: Buffer; paper: 'letter' | 'a4' } {
  const size = number % 5 === 0 ? 100 + ((number * 7919) % FULL_PAGE_BYTES) : FULL_PAGE_BYTES;
  return { content: denseFile(size, number), paper: number % 4 === 0 ? 'a4' : 'letter' };
}

/** Sends one page through the damage; true when its document arrives. A wrong document fails the test. */
async function arrives(level: DamageLevel, number: number): Promise<boolean> {
  const { content, paper } = contentOf(number);
  const [page] = drawnPages(content, { seed: number % 250, paper: level.byProvider ? 'letter' : paper });
  const received = workspace.file('received.pdf', await level.receive(page!, number, workspace.folder));
  const output = join(workspace.folder, 'arrived');
  const found = await workspace.documents.decodePages(received, output, { keys: [], maxBytes: 1e6 });
  if (found.state !== 'decoded') {
    expect(existsSync(output)).toBe(false);
    return false;
  }
  expect(readFileSync(output).equals(content), `page ${number} came as another document`).toBe(true);
  rmSync(output);
  return true;
}

describe('encoded pages on a bad line', () => {
  const levels = DAMAGE_LEVELS.filter(({ byProvider }) => !(byProvider && providers.skip));
  it.each(levels.map((level) => [level.name, level] as const))(
    'arrive byte for byte or not at all: %s',
    async (_name, level) => {
      const lost: number[] = [];
      for (let number = 1; number <= PAGES; number++) if (!(await arrives(level, number))) lost.push(number);
      if (PAGES > 10)
        process.stdout.write(`${level.name}: ${PAGES - lost.length} of ${PAGES}; lost: ${lost.join()}\n`);
      expect(PAGES - lost.length, `lost: ${lost.join()}`).toBeGreaterThanOrEqual(leastShare(level) * PAGES);
    },
    3_600_000,
  );
});
