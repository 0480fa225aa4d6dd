import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { tryInstaller } from '../../scripts/pack/try-installer.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Application that serves as long as it is not asked to quit. */
const APPLICATION = `#!${process.execPath}
const { writeFileSync, rmSync } = require('node:fs');
const data = process.env.FAXDESK_DATA;
writeFileSync(data + '/faxdesk.sqlite', '');
const server = require('node:http').createServer((request, response) => {
  response.writeHead(process.argv[2] === '--hidden' && request.url === '/health' ? 200 : 500).end();
});
server.listen(0, '127.0.0.1', () => {
  writeFileSync(data + '/gateway.json', JSON.stringify({ url: 'http://127.0.0.1:' + server.address().port }));
});
process.on('SIGTERM', () => { rmSync(data + '/gateway.json'); process.exit(0); });
`;

function kind(application: string) {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-kind-'));
  folders.push(folder);
  const program = join(folder, 'faxdesk.cjs');
  return {
    program,
    made: [program],
    install: () => {
      writeFileSync(program, application);
      chmodSync(program, 0o755);
    },
    remove: () => rmSync(program),
  };
}

function trial(seconds: number) {
  const data = mkdtempSync(join(tmpdir(), 'faxdesk-data-'));
  folders.push(data);
  return { data, seconds, account: null };
}

describe('the trial of an installer', () => {
  it('installs, starts, stops and removes the application', async () => {
    const usual = kind(APPLICATION);
    await tryInstaller(usual, 'installer', trial(20));
    expect(existsSync(usual.program)).toBe(false);
  });

  it('fails where the program is not there after the installation', async () => {
    await expect(tryInstaller({ ...kind(''), install: () => {} }, 'installer', trial(1))).rejects.toThrow(
      'Not installed',
    );
  });

  it('fails where the application ends by itself', async () => {
    const ending = kind(`#!${process.execPath}\n`);
    await expect(tryInstaller(ending, 'installer', trial(20))).rejects.toThrow('by itself');
  });

  it('fails where the gateway does not answer', async () => {
    const silent = kind(APPLICATION.replace('200 :', '503 :'));
    await expect(tryInstaller(silent, 'installer', trial(1))).rejects.toThrow('does not answer');
  });

  it('fails where the gateway is ended, not stopped', async () => {
    const ended = kind(APPLICATION.replace("rmSync(data + '/gateway.json');", ''));
    await expect(tryInstaller(ended, 'installer', trial(20))).rejects.toThrow('not stopped');
  });

  it('fails where the removal leaves a file', async () => {
    const usual = kind(APPLICATION);
    const leaving = { ...usual, remove: () => {} };
    await expect(tryInstaller(leaving, 'installer', trial(3))).rejects.toThrow('are left');
    const other = join(usual.program, '..', 'other');
    writeFileSync(other, '');
    const listing = { ...usual, listed: () => [other] };
    await expect(tryInstaller(listing, 'installer', trial(3))).rejects.toThrow(other);
  });

  it('fails where the removal takes the data along', async () => {
    const taking = kind(
      APPLICATION.replace('process.exit', "rmSync(data + '/faxdesk.sqlite'); process.exit"),
    );
    await expect(tryInstaller(taking, 'installer', trial(20))).rejects.toThrow('data is gone');
  });
});
