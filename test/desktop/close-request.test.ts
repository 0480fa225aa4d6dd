import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLOSE_REQUEST } from '../../main/close-request.ts';
import { INSTALLED_FOR } from '../../main/updates/installation-check.ts';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { sendingSettings, startTestEmulator, textFile } from '../setup/gateway.ts';
import { launch } from './desktop-app.ts';
import { onEachKind, onlyStandin } from './each-kind.ts';

onEachKind('an application over which the installer of Windows is started', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-installed-'));
  const request = join(folder, 'resources', CLOSE_REQUEST);
  let emulator: CloudoneEmulator;
  beforeAll(async () => {
    mkdirSync(join(folder, 'resources'));
    writeFileSync(join(folder, 'resources', INSTALLED_FOR), 'account');
    emulator = await startTestEmulator();
  });
  afterAll(async () => {
    await emulator.close();
    rmSync(folder, { recursive: true });
  });

  it('rule (desktop): finishes and quits by itself, and not for a request of an installer before', async (context) => {
    onlyStandin(kind, context);
    writeFileSync(request, '');
    const app = await launch(kind, {
      env: {
        ...sendingSettings(emulator),
        STANDIN_PROGRAM: join(folder, 'Faxdesk.exe'),
      },
    });
    try {
      await app.console();
      const body = new FormData();
      body.append('to', '+12025550123');
      body.append('file', textFile());
      const headers = { 'X-API-Key': app.installationKey() };
      const sent = await fetch(`${app.gatewayUrl()}/fax`, { method: 'POST', body, headers });
      expect(sent.status).toBe(202);
      rmSync(request);
      writeFileSync(request, '');
      expect(await app.ended).toBe(0);
    } finally {
      await app.close();
    }
  });
});
