import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { SERVICE_HOST } from '../../scripts/build-service-host.ts';
import { PackError } from '../../scripts/pack/pack-error.ts';
import { stageServer } from '../../scripts/pack/server/stage-server.ts';
import type { Target } from '../../scripts/pack/target.ts';
import { ROOT } from '../../scripts/source-tree.ts';
import { expectSmallShare } from './contents.ts';
import { KEPT, madeFor, NO_NETWORK } from './packed.ts';

const MAC: Target = { platform: 'darwin', arch: 'arm64' };
const WINDOWS: Target = { platform: 'win32', arch: 'x64' };

let folder: string;
let unavailable: string | null = null;

/** The first bytes of a program, as far as they name its system and processor. */
function programFor({ platform }: Target): Buffer {
  const bytes = Buffer.alloc(256);
  if (platform === 'darwin') {
    bytes.writeUInt32LE(0xfeed_facf);
    bytes.writeUInt32LE(0x0100_000c, 4);
    return bytes;
  }
  bytes.write('MZ', 'latin1');
  bytes.writeUInt32LE(128, 60);
  bytes.write('PE', 128, 'latin1');
  bytes.writeUInt16LE(34404, 132);
  return bytes;
}

async function stageFor(target: Target): Promise<string> {
  const node = join(folder, `node-${target.platform}`);
  await writeFile(node, programFor(target));
  const stage = join(folder, target.platform);
  await stageServer(target, stage, { quiet: true, kept: KEPT, node });
  return stage;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-gateway-'));
  await buildConsoleIfStale();
  try {
    for (const target of [MAC, WINDOWS]) await stageFor(target);
  } catch (error) {
    if (!(error instanceof PackError) || !NO_NETWORK.test(error.message)) throw error;
    unavailable = 'the packages of the gateway cannot be fetched without a network';
  }
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each([
  ['macOS', MAC, 'darwin arm64', ['faxdesk', 'node']],
  ['Windows', WINDOWS, 'win32 x64', ['faxdesk-service.exe', 'faxdesk.cmd', 'node.exe']],
] as const)('the gateway for a service of %s', (_, target, made, programs) => {
  it('holds what a gateway needs, for that system alone', async (context) => {
    if (unavailable !== null) return context.skip(unavailable);
    const stage = join(folder, target.platform);
    expect((await readdir(join(stage, 'bin'))).toSorted()).toEqual(programs);
    for (const name of ['server/faxdesk.mjs', 'out/gateway/cli.mjs', 'out/console', 'sbom.cdx.json'])
      expect(existsSync(join(stage, name)), name).toBe(true);
    const entries = await readdir(stage, { recursive: true, withFileTypes: true });
    const files = entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name));
    const binaries = files.filter((path) => /\.(?:node|dll|dylib|exe)$|\/bin\/node$/u.test(path));
    expect(new Set(await Promise.all(binaries.map(madeFor)))).toEqual(new Set([made]));
    expect(existsSync(join(stage, 'systemd'))).toBe(false);
    await expectSmallShare(stage);
  });

  it('is not made with a Node.js for another system', async () => {
    const options = { quiet: true, node: process.execPath };
    await expect(stageServer(target, join(folder, 'other'), options)).rejects.toThrow('is no program for');
    const without = stageServer(target, join(folder, 'other'), { quiet: true, node: null });
    if (`${process.platform} ${process.arch}` !== made)
      await expect(without).rejects.toThrow('--node <file>');
  });
});

it('has the service host of the repository, and a script with the line ends of Windows', async (context) => {
  if (unavailable !== null) return context.skip(unavailable);
  const bin = join(folder, 'win32/bin');
  expect(await readFile(join(bin, 'faxdesk-service.exe'))).toEqual(await readFile(SERVICE_HOST));
  expect(await readFile(join(bin, 'faxdesk.cmd'), 'utf8')).toMatch(/^@echo off\r\n(?:.*\r\n)+$/u);
});

/** Makes a folder of the gateway whose programs print their words. */
async function printing(name: string): Promise<string> {
  const place = join(folder, name);
  await mkdir(join(place, 'bin'), { recursive: true });
  await writeFile(join(place, 'bin/faxdesk'), await readFile(join(ROOT, 'resources/server/service.sh')));
  await writeFile(join(place, 'bin/node'), '#!/bin/sh\necho node "$NODE_DISABLE_COMPILE_CACHE" "$@"\n');
  await writeFile(join(place, 'bin/sudo'), '#!/bin/sh\necho sudo "$@"\n');
  await writeFile(join(place, 'bin/id'), '#!/bin/sh\necho "${TEST_ID}"\n');
  for (const program of ['faxdesk', 'node', 'sudo', 'id']) await chmod(join(place, 'bin', program), 0o755);
  return place;
}

it('has a command for macOS that works as the account of the service for root, in the copy of the service alone', async () => {
  const place = await printing('with spaces in it');
  await symlink(join(place, 'bin/faxdesk'), join(folder, 'faxdesk'));
  const run = (id: string, ...words: string[]) => {
    const env = { TEST_ID: id, PATH: `${join(place, 'bin')}:/usr/bin:/bin` };
    return spawnSync(join(folder, 'faxdesk'), words, { env, encoding: 'utf8' }).stdout.trim();
  };
  const words = `--max-semi-space-size=2 --env-file-if-exists=${place}/service.env ${place}/server/faxdesk.mjs`;
  expect(run('0', 'health')).toBe(`node 1 ${words} health`);
  await writeFile(join(place, 'service.env'), '');
  expect(run('501', 'health', '--json')).toBe(`node 1 ${words} health --json`);
  expect(run('0', 'health')).toBe(`sudo -H -u _faxdesk ${place}/bin/node ${words} health`);
  expect(run('0', 'service', 'show')).toBe(`node 1 ${words} service show`);
});
