import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tryCapabilities } from '../built/capabilities.ts';
import { KEY, Office, type StartedGateway, waitFor, wholeAnswer } from '../built/office.ts';
import { type DesktopApp, launch, missing } from '../desktop/desktop-app.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import type { Skippable } from '../setup/tools.ts';
import {
  expectNoOtherImports,
  expectNotices,
  expectOnlyBinariesFor,
  expectOnlyWhatRuns,
  expectSmallShare,
  FUSES,
} from './contents.ts';
import { needPacked, type PackedApp, pack } from './packed.ts';

let packed: PackedApp | string = 'it was not packed';
let extracted = '';

beforeAll(async () => {
  packed = await pack('linux', 'x64');
  if (typeof packed !== 'string') extracted = packed.extract();
}, 300_000);

afterAll(async () => {
  if (typeof packed !== 'string') await packed.close();
});

describe('the application for Linux', () => {
  it('rule (desktop): the packed application holds only what it needs', async (context) => {
    await expectOnlyWhatRuns(needPacked(context, packed));
  });

  it('has the licenses and a bill of materials of everything in it beside the archive', async (context) => {
    await expectNotices(needPacked(context, packed));
  });

  it('rule (desktop): what is packed beside Electron stays small', async (context) => {
    await expectSmallShare(needPacked(context, packed).resources);
  });

  it('holds binaries for Linux only', async (context) => {
    await expectOnlyBinariesFor(needPacked(context, packed), 'linux x64');
  });

  it('rule (desktop): the fuses of the packed application are set', async (context) => {
    expect(await needPacked(context, packed).fuses()).toMatchObject(FUSES);
  });
});

describe('the application taken out of its archive', () => {
  let desktop: DesktopApp | null = null;
  let office: Office | null = null;

  async function start(env: Readonly<Record<string, string>>): Promise<StartedGateway> {
    const app = await launch('stand-in', { main: join(extracted, 'out/desktop/main.mjs'), env });
    desktop = app;
    await app.console();
    const url = await waitFor(() => app.gatewayUrl());
    return { url, dataFolder: app.dataFolder, printed: () => app.output(), stop: () => app.close() };
  }

  beforeAll(async () => {
    if (typeof packed === 'string' || missing('stand-in') !== null || process.platform !== 'linux') return;
    office = await Office.open(start);
  });

  afterAll(async () => {
    await office?.close();
  });

  function running(context: Skippable): DesktopApp {
    needPacked(context, packed);
    if (process.platform !== 'linux') return context.skip('its binaries are for Linux');
    return desktop ?? context.skip(missing('stand-in') ?? 'it was not started');
  }

  tryCapabilities((context) => {
    running(context);
    return office as Office;
  });

  const ask = async (app: DesktopApp, path: string, init: RequestInit = {}) =>
    wholeAnswer(await fetch(new URL(path, app.gatewayUrl()), { ...init, headers: { 'X-API-Key': KEY } }));

  it('names no package that is not in it', async (context) => {
    needPacked(context, packed);
    await expectNoOtherImports(extracted);
  });

  it('opens its window on the console of its gateway', async (context) => {
    const app = running(context);
    const page = await app.console();
    expect(page.url()).toContain(`${new URL(app.gatewayUrl()).origin}/admin/ui/`);
    expect(await (await ask(app, '/health')).json()).toMatchObject({ status: 'ok' });
  });

  it('serves the console, its logo and the page of the routes', async (context) => {
    const app = running(context);
    const page = await (await ask(app, '/admin/ui/')).text();
    const parts = [...page.matchAll(/"(\/admin\/ui\/[^"]+\.(?:js|css|svg))"/gu)].map((it) => it[1] ?? '');
    expect(parts.length).toBeGreaterThan(2);
    for (const path of [...parts, '/docs', '/docs/swagger-ui-bundle.js'])
      expect((await ask(app, path)).status, path).toBe(200);
  });

  it('prepares documents: worker, fonts and the PDF engine are there', async (context) => {
    const app = running(context);
    const form = new FormData();
    form.append('file', new File(['Referral, Überweisung, 转诊\n'], 'words.txt', { type: 'text/plain' }));
    form.append('file', new File([new Uint8Array(textPdf(2))], 'pages.pdf', { type: 'application/pdf' }));
    const answer = await ask(app, '/fax/preview', { method: 'POST', body: form });
    const preview = (await answer.json()) as { preview_id: string; problem: string | null };
    expect(preview).toMatchObject({ pages: 3, complete: true, problem: null });
    for (const page of [1, 3]) {
      const picture = await ask(app, `/fax/preview/${preview.preview_id}/${page}.png`);
      expect(picture.headers.get('content-type')).toBe('image/png');
    }
  });
});
