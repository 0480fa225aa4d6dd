import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { DESKTOP_COMMANDS, SCREEN_OF_COMMAND } from '../../shared/desktop.ts';

/** Commands that act at once, or open what belongs to the present screen. */
const ACTIONS = ['toggle-sending', 'lock', 'open-help'];

/** Returns the paths of the router, with their optional parts as they are written there. */
async function routedPaths(): Promise<string[]> {
  const router = await readFile(new URL('../../renderer/router.tsx', import.meta.url), 'utf8');
  return [...router.matchAll(/^ {2}path: '([^']+)',$/gmu)].map(([, path]) => path as string);
}

describe('What menu and tray offer', () => {
  it('opens a screen that exists, or does something at once', () => {
    const leading: readonly string[] = Object.keys(SCREEN_OF_COMMAND);
    expect(DESKTOP_COMMANDS.filter((command) => !leading.includes(command))).toEqual(ACTIONS);
  });

  it('opens screens that the router draws', async () => {
    const paths = await routedPaths();
    const opened = paths.map((path) => path.replace(/\/\{.*$/u, ''));
    expect(opened).toEqual(expect.arrayContaining(Object.values(SCREEN_OF_COMMAND)));
  });
});
