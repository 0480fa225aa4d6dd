import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { decodeT6 } from '../../server/documents/t4/decode.ts';
import type { OneBitPage } from '../../server/documents/t4/one-bit-page.ts';
import { oneBitPicture } from '../../server/documents/tiff/one-bit-picture.ts';
import { describePage, isPage } from '../../server/documents/tiff/page-description.ts';
import { readDirectories } from '../../server/documents/tiff/read-directories.ts';
import { createAmiClient } from '../../server/platform/ami/client.ts';
import { type CutOffProxy, startCutOffProxy } from '../setup/cut-off-proxy.ts';
import { eventually } from '../setup/eventually.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { type AmiTranscript, createAmiTranscript } from '../setup/telephony/ami-transcript.ts';
import { waitForPages } from '../setup/telephony/page-watch.ts';
import { type Rig, startRig } from '../setup/telephony/rig.ts';
import type { Skippable } from '../setup/tools.ts';

/** To fetch the engine the first time takes a minute or several. */
const FETCHING_MS = 900_000;
/** A call that nobody takes rings for a minute; one that a voice takes is given up after 80 seconds. */
export const CALL_MS = 200_000;

/** A session is refreshed 45 seconds after its begin, which is some seconds before the fax begins. */
const REFRESH_SECONDS = 25;

/** A gateway that sends over a real telephone engine. */
interface EngineLine {
  readonly rig: Rig;
  gateway: TestGateway;
  /** Between the gateway and the manager interface of the engine. */
  readonly proxy: CutOffProxy;
  /** Transcript of all messages of the engine there, across reconnects. */
  readonly transcript: AmiTranscript;
}

/** One for a test file; what it answers skips a test, with the reason, where the engine cannot run. */
export function withEngineLine(): (context: Skippable) => EngineLine {
  let line: EngineLine | { readonly unavailable: string } | null = null;
  let ticking: NodeJS.Timeout | undefined;
  let close: () => Promise<void> = async () => undefined;
  beforeAll(async () => {
    const rig = await startRig();
    if ('unavailable' in rig) {
      line = rig;
      return;
    }
    rig.farEnd.cli('pjsip set history on');
    const [answers, events] = [createAmiTranscript(), createAmiTranscript()];
    const transcript = { ...answers, calls: events.calls };
    const watched = await startCutOffProxy(rig.office.manager, events.listen);
    const watch = createAmiClient({ ...rig.office.manager, port: watched.port });
    await watch.ready();
    close = async () => {
      watch.close();
      await watched.close();
    };
    const proxy = await startCutOffProxy(rig.office.manager, answers.listen);
    const settings = { ...rig.settings, TELEPHONY_PORT: String(proxy.port), TRUNK_LINES: '30' };
    const { dataFolder, gatewayPort: port } = rig;
    const started = {
      rig,
      proxy,
      transcript,
      gateway: await startTestGateway({ dataFolder, port, settings }),
    };
    line = started;
    // Calls take their time, so the clock of the gateway goes on with that of the engine.
    ticking = setInterval(() => {
      started.gateway.clock.advance(SECOND);
      started.gateway.processAll().catch(() => undefined);
    }, SECOND);
  }, FETCHING_MS);
  afterAll(async () => {
    clearInterval(ticking);
    if (line === null || 'unavailable' in line) return;
    await line.gateway.close();
    await close();
    await line.proxy.close();
    await line.rig.stop();
  });
  return (context) => {
    if (line === null) throw new Error('the gateway did not start');
    return 'unavailable' in line ? context.skip(line.unavailable) : line;
  };
}

/** Has a number called; comes back when its call was begun, or has ended. */
export async function callTo(
  line: EngineLine,
  to: string,
  files: File[] = [textFile()],
): Promise<{ id: string; attempt: string }> {
  const { gateway } = line;
  const response = await gateway.sendForm({ to }, files);
  expect(response.status).toBe(202);
  const { id } = (await response.json()) as Fax;
  await gateway.processAll();
  const attempt = await eventually(async () => {
    const fax = await gateway.fax(id);
    expect(['ready', 'preparing', 'submitting']).not.toContain(fax.delivery_state);
    return fax.attempt?.id ?? '';
  });
  return { id, attempt };
}

/** The pages of a call as they lie before the engine, while it goes on. */
export function readImage({ gateway }: EngineLine, attempt: string): Buffer {
  return readFileSync(join(gateway.dataFolder, 'telephony', 'outgoing', `${attempt}.tiff`));
}

export function waitForEnd(line: EngineLine, id: string): Promise<Fax> {
  const look = async () => {
    const fax = await line.gateway.fax(id);
    expect(['submitting', 'in_progress']).not.toContain(fax.delivery_state);
    return fax;
  };
  return vi.waitFor(look, { timeout: CALL_MS, interval: 250 });
}

/** The pages of an image of the engine, as their pixels. */
export async function pagesOf(tiff: Buffer): Promise<OneBitPage[]> {
  const pages = readDirectories(tiff).filter(isPage);
  return await Promise.all(
    pages.map(async (directory) => {
      const { data, width, height } = await oneBitPicture(tiff, describePage(tiff, directory));
      const page = decodeT6(data, width, height);
      if (!page) throw new Error('not a page');
      return page;
    }),
  );
}

/** Returns the pages that the far end received in the one call to a number. */
export function receivedPages(rig: Rig, to: string): Promise<OneBitPage[]> {
  return eventually(async () => {
    const paths = await rig.received(to);
    expect(paths).toHaveLength(1);
    return await pagesOf(readFileSync(paths[0] ?? ''));
  });
}

/**
 * Counts the session refreshes that a carrier sent within the one call to a number. Call `count` after the call has
 * ended.
 */
export async function refreshesOf({ farEnd }: Rig, to: string): Promise<{ count(): number }> {
  const ami = await farEnd.connect();
  try {
    const Channel = await waitForPages(ami, to, 0);
    const asked = await ami.action({ Action: 'Getvar', Channel, Variable: 'CHANNEL(pjsip,call-id)' });
    // Those before switch to T.38.
    const since = Date.now() / 1000 + REFRESH_SECONDS;
    return {
      count() {
        const shown = farEnd.cli('pjsip show history where sip.msg.request.method = "INVITE"');
        const later = [...shown.matchAll(/^(\d+) (\d{10}) /gmu)].filter(([, , at]) => Number(at) >= since);
        const texts = later.map(([, number]) => farEnd.cli(`pjsip show history entry ${Number(number)}`));
        return texts.filter((text) => text.includes(`Call-ID: ${asked['Value']}`)).length;
      },
    };
  } finally {
    await ami.close();
  }
}
