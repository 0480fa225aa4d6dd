import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  BUILD_MARK,
  builtCommandLine,
  GATEWAY_BUILD,
  sourceState,
} from '../../server/platform/built-code.ts';

let root: string;
const write = async (name: string, text: string) => {
  await mkdir(dirname(join(root, name)), { recursive: true });
  await writeFile(join(root, name), text);
};

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'faxdesk-built-'));
  for (const source of GATEWAY_BUILD.sources)
    await write(/\./u.test(source) ? source : `${source}/deep/one.ts`, 'export {};');
  await write('server/cli.ts', '');
  await write(join(GATEWAY_BUILD.folder, 'cli.mjs'), '');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const build = () => write(join(GATEWAY_BUILD.folder, BUILD_MARK), sourceState(GATEWAY_BUILD.sources, root));

describe('the built command line', () => {
  it('is used while the sources are those it was built from', async () => {
    expect(builtCommandLine(root)).toBeNull();
    await build();
    expect(builtCommandLine(root)).toBe(pathToFileURL(join(root, GATEWAY_BUILD.folder, 'cli.mjs')).href);
  });

  it('is used in a package, which has no sources', async () => {
    await build();
    await rm(join(root, 'server'), { recursive: true });
    expect(builtCommandLine(root)).not.toBeNull();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['changed', () => utimes(join(root, 'server/deep/one.ts'), 1, 1)],
    ['added', () => write('shared/two.ts', '')],
    ['removed', () => rm(join(root, 'server/deep/one.ts'))],
  ])('is not used when a source was %s', async (_what, change) => {
    await build();
    await change();
    expect(builtCommandLine(root)).toBeNull();
  });
});
