import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { firstDifference } from '../fixtures/bitmaps.ts';
import { mixedFiles } from '../fixtures/mixed-files.ts';
import { flate, onePage } from '../fixtures/pdf-parts.ts';
import { eventually } from '../setup/eventually.ts';
import { textFile } from '../setup/gateway.ts';
import { differencesBetween } from '../setup/telephony/ami-transcript.ts';
import { farEndNumber } from '../setup/telephony/far-end.ts';
import type { Rig } from '../setup/telephony/rig.ts';
import { cancelRinging, emulatedCalls, sendUnusualRequests } from './outbound-engine-emulated.ts';
import {
  CALL_MS,
  callTo,
  pagesOf,
  readImage,
  receivedPages,
  refreshesOf,
  waitForEnd,
  withEngineLine,
} from './outbound-engine-setup.ts';

const engineLine = withEngineLine();

/** An ended call is read once, and the engine keeps nothing of it. */
async function expectForgotten({ office }: Rig, attemptId: string | undefined): Promise<void> {
  expect(attemptId).toBeDefined();
  await eventually(() => expect(office.cli('database show')).not.toContain(attemptId));
}

/** A page that is one line high, and ink in its middle. */
const LINE = new File(
  [onePage(flate('', '200 0 200 1 re f'), '', [], '/MediaBox [0 0 612 0.36]')],
  'line.pdf',
  {
    type: 'application/pdf',
  },
);
const DOCUMENTS = {
  'a page of text': { files: [textFile()], pages: 1 },
  'three pages of text, drawing and photograph': { files: mixedFiles({ width: 160, height: 130 }), pages: 3 },
};

describe('a fax over a real telephone engine', () => {
  for (const [behavior, way, isExact] of [
    ['t38', 'over T.38 with error correction', true],
    ['audio', 'as sound with error correction', true],
    ['audioWithoutEcm', 'as sound without error correction', false],
  ] as const)
    for (const [what, { files, pages }] of Object.entries(DOCUMENTS))
      test.concurrent(`arrives as it was sent: ${what} ${way}`, async (context) => {
        const line = engineLine(context);
        const { rig } = line;
        const to = farEndNumber(behavior, 20 + pages);
        const { id, attempt } = await callTo(line, to, files);
        const image = readImage(line, attempt);
        const refreshes = pages > 1 ? refreshesOf(rig, to) : null;
        const fax = await waitForEnd(line, id);
        expect(fax).toMatchObject({ delivery_state: 'success', pages, error: null });
        const sent = await pagesOf(image);
        const received = await receivedPages(rig, to);
        expect(received).toHaveLength(pages);
        const isSame = received.map((page, i) => firstDifference(page, sent[i] ?? page) === null);
        if (isExact) expect(isSame).toEqual(sent.map(() => true));
        // In a longer call a carrier asks anew, every 45 seconds, whether it goes on.
        if (refreshes) expect((await refreshes).count()).toBeGreaterThan(0);
        await expectForgotten(rig, fax.attempt?.id);
        const answer = await line.gateway.request('GET', `/telephony/calls?number=${encodeURIComponent(to)}`);
        expect(await answer.json()).toMatchObject({
          items: [
            {
              outcome: 'delivered',
              sent_fax_ids: [id],
              cause: 16,
              mode: behavior === 't38' ? 't38' : 'audio',
              resolution: '204x196',
              sip_status: null,
              // A short call may end before anybody looked.
              ecm:
                pages === 3
                  ? behavior !== 'audioWithoutEcm'
                  : expect.toBeOneOf([null, behavior !== 'audioWithoutEcm']),
              rate_bps: expect.any(Number),
              seconds: expect.any(Number),
              pages_confirmed: pages,
              station_id: expect.any(String),
            },
          ],
        });
      });

  test.concurrent('arrives as it was sent: a page that is one line long', async (context) => {
    const line = engineLine(context);
    const to = farEndNumber('t38', 9);
    const { id, attempt } = await callTo(line, to, [LINE]);
    const image = readImage(line, attempt);
    expect(await waitForEnd(line, id)).toMatchObject({ delivery_state: 'success', pages: 1 });
    const received = await receivedPages(line.rig, to);
    expect(received).toEqual(await pagesOf(image));
  });

  test.concurrent('goes as audio at once where the call before had requested T.38 in vain', async (context) => {
    const line = engineLine(context);
    const to = farEndNumber('audio', 3);
    const ways: (string | undefined)[] = [];
    for (const _call of [1, 2]) {
      const { id } = await callTo(line, to);
      expect(await waitForEnd(line, id)).toMatchObject({ delivery_state: 'success', pages: 1 });
      ways.push((await line.gateway.history(id)).find(({ kind }) => kind === 'submitting')?.text);
    }
    expect(ways).toEqual([
      'Calling.',
      'Calling. It is sent without T.38, based on earlier calls to this number.',
    ]);
    expect(await line.rig.received(to)).toHaveLength(2);
  });

  for (const [behavior, error, unreached] of [
    ['busy', 'The line was busy.', 'busy'],
    ['noAnswer', 'Nobody answered.', 'no_answer'],
    [
      'rejected',
      'The call was refused. If every call is refused, check user, password and address of the trunk.',
      null,
    ],
    ['unknownNumber', 'The number does not exist. Check it.', null],
    [
      'redirects',
      'The carrier redirected the call to another number, which Faxdesk does not call. Ask the recipient for the right number.',
      null,
    ],
    ['overloaded', 'The carrier was overloaded or out of service.', null],
    ['outOfOrder', 'The receiving line is out of order.', null],
    ['voice', 'No fax machine answered: a person or an answering machine may have taken the call.', null],
    ['hangsUpAtOnce', 'The other side hung up right away.', null],
  ] as const)
    test.concurrent(`is certainly not sent, and says why: ${behavior}`, async (context) => {
      const line = engineLine(context);
      const { rig } = line;
      const { id } = await callTo(line, farEndNumber(behavior));
      const fax = await waitForEnd(line, id);
      expect(fax).toMatchObject({ delivery_state: 'failed', error });
      expect(fax.attempt?.unreached ?? null).toBe(unreached);
      await expectForgotten(rig, fax.attempt?.id);
      expect(await readdir(join(rig.dataFolder, 'inbound'))).toEqual([]);
    });

  test.concurrent('whose gateway loses the engine during the call is read when it is back', async (context) => {
    const line = engineLine(context);
    const { rig } = line;
    const to = farEndNumber('t38', 7);
    const { id } = await callTo(line, to);
    await vi.waitFor(async () => expect(await rig.received(to)).toHaveLength(1), { timeout: CALL_MS });
    await eventually(async () => {
      await line.gateway.request('POST', `/fax/${id}/refresh`);
      const { progress } = await line.gateway.fax(id);
      expect(progress).toEqual({ stage: 'sending', page: 1, rate_bps: expect.any(Number) });
    });
    await line.proxy.cut();
    await vi.waitFor(() => expect(rig.office.cli('database show')).toContain(`faxdesk-outcome/`), {
      timeout: CALL_MS,
    });
    expect((await line.gateway.fax(id)).delivery_state).toBe('in_progress');
    await line.proxy.open();
    expect(await waitForEnd(line, id)).toMatchObject({ delivery_state: 'success', pages: 1 });
  });

  test.concurrent('is taken back while it rings', async (context) => {
    const { rig, gateway } = engineLine(context);
    const { attempt, delivery_state } = await cancelRinging(gateway, farEndNumber('noAnswer', 8));
    expect(delivery_state).toBe('failed');
    await expectForgotten(rig, attempt?.id);
  });
});

describe('the emulated engine', () => {
  test('rule (telephony): the emulated engine sends the answers, lines and notes of a real one in the same order', async (context) => {
    const { transcript, proxy, rig } = engineLine(context);
    await sendUnusualRequests({ ...rig.office.manager, port: proxy.port });
    expect(differencesBetween(await emulatedCalls(), transcript)).toEqual([]);
  });
});
