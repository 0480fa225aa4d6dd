import { describe, expect, test } from 'vitest';
import { causeCode, causeSentence, noAnswerReason } from '../../server/adapters/providers/sip/causes.ts';
import { reportOfCall, reportOfLostCall } from '../../server/adapters/providers/sip/fax-report.ts';
import { type CallOutcome, readOutcome } from '../../server/adapters/providers/sip/outcome-record.ts';
import { findStopCause } from '../../server/adapters/providers/sip/status-texts.ts';

const CHECK = 'Check with the recipient, then decide.';
const ended: CallOutcome = {
  status: 'FAILED',
  error: '',
  statusText: '',
  pages: 0,
  rateBps: 14_400,
  mode: 't38',
  resolution: '204x196',
  ecm: true,
  stationId: null,
  answeredAt: 1_000,
  endedAt: 1_060,
  cause: 16,
  sipStatus: null,
};
const report = (outcome: Partial<CallOutcome>, sent: number | null = 3) =>
  reportOfCall('a1', { ...ended, ...outcome }, sent);
const unanswered = { status: '', pages: null, answeredAt: null };

test.each([
  [1, 'The number does not exist. Check it.'],
  [2, 'The carrier cannot reach this number.'],
  [3, 'The carrier cannot reach this number.'],
  [16, 'The call ended before anyone answered.'],
  [17, 'The line was busy.'],
  [18, 'The other side’s network did not respond.'],
  [19, 'Nobody answered.'],
  [20, 'The line is not connected at the moment.'],
  [21, 'The call was refused.'],
  [22, 'The number has changed.'],
  [27, 'The receiving line is out of order.'],
  [28, 'The number is incomplete or wrong.'],
  [29, 'The carrier does not allow this call.'],
  [31, 'The call failed without a reason.'],
  [34, 'The carrier was overloaded or out of service.'],
  [38, 'The carrier was overloaded or out of service.'],
  [50, 'The carrier does not allow this call.'],
  [58, 'The other side does not accept this kind of call.'],
  [88, 'The other side does not accept this kind of call.'],
  [102, 'The carrier did not answer in time.'],
  [127, 'The call failed between carriers.'],
  [99, 'The call failed without a reason.'],
  [null, 'The call failed without a reason.'],
])('a call that nobody took because of the cause %s certainly sent nothing', (cause, sentence) => {
  expect(causeSentence({ cause, sipStatus: null })).toBe(sentence);
  expect(report({ ...unanswered, cause })).toMatchObject({
    outcome: 'failed',
    failure: sentence,
    noPageTransmitted: true,
    pages: null,
  });
});

test('a refused sign-in at the carrier is distinguished from a refused call', () => {
  const words =
    'The carrier refused the sign-in of this installation. Check user, password and address of the trunk.';
  for (const sipStatus of [401, 407]) expect(causeSentence({ cause: 21, sipStatus })).toBe(words);
  expect(causeSentence({ cause: 21, sipStatus: 403 })).toBe(
    'The call was refused. If every call is refused, check user, password and address of the trunk.',
  );
  expect(causeSentence({ cause: 21, sipStatus: 603 })).toBe('The call was refused.');
  expect(causeCode({ cause: 21, sipStatus: 403 })).toBe('cause 21, SIP 403');
  expect(causeCode({ cause: null, sipStatus: null })).toBeNull();
  expect([16, 17, 18, 19].map((cause) => noAnswerReason({ cause, sipStatus: null }))).toEqual([
    null,
    'busy',
    null,
    'no_answer',
  ]);
});

test('a call that the carrier redirects is a refusal, and is not tried again as one that nobody took', () => {
  for (const sipStatus of [300, 301, 302, 305, 380])
    expect(report({ ...unanswered, cause: null, sipStatus })).toMatchObject({
      outcome: 'failed',
      failure: expect.stringMatching(/^The carrier redirected the call to another number/u),
      failureCode: `SIP ${sipStatus}`,
      unreached: null,
      noPageTransmitted: true,
    });
});

const NO_FAX = 'No fax machine answered: a person or an answering machine may have taken the call.';
const CUT = 'The call was cut off.';
const POOR = 'The line was too poor for the fax machines to understand each other.';
const AFTER = 'The other machine did not confirm a page that was sent.';
const TAKES_NOT = 'The receiving machine cannot accept this fax.';
const IMAGE = 'The telephone engine could not read the pages.';
const NOT_BEGUN = 'The telephone engine could not begin the fax. Check the fax modules of Asterisk.';

test.each([
  ['Timed out waiting for initial communication', NO_FAX, 'nothing'],
  ['Timed out waiting for the first message', NO_FAX, 'nothing'],
  ['The CED tone exceeded 5s', NO_FAX, 'nothing'],
  ['Received no response to DCS or TCF', NO_FAX, 'nothing'],
  ['Received a DCN while waiting for a DIS', NO_FAX, 'nothing'],
  ['Received other than DIS while waiting for DIS', NO_FAX, 'nothing'],
  ['The call dropped prematurely', CUT, 'perhaps the page'],
  ['Carrier lost during fax receive', CUT, 'perhaps the page'],
  ['Disconnected after permitted retries', AFTER, 'perhaps the page'],
  ['Unexpected DCN while waiting for DCS or DIS', CUT, 'perhaps the page'],
  ['Unexpected DCN after EOM or MPS sequence', AFTER, 'perhaps the page'],
  ['Unexpected DCN after RR/RNR sequence', AFTER, 'perhaps the page'],
  ['Failed to train with any of the compatible modems', POOR, 'not the page'],
  ['Received bad response to DCS or training', POOR, 'not the page'],
  ['The HDLC carrier did not stop in a timely manner', POOR, 'not the page'],
  ['Invalid ECM response received from receiver', POOR, 'perhaps the page'],
  ['Timed out waiting for receiver ready (ECM mode)', POOR, 'perhaps the page'],
  ['Unexpected message received', POOR, 'perhaps the page'],
  ['Timer T2 expired while waiting for NSS, DCS or MCF', POOR, 'perhaps the page'],
  ['No response after sending a page', AFTER, 'perhaps the page'],
  ['Invalid response after sending a page', AFTER, 'perhaps the page'],
  ['Received a DCN from remote after sending a page', AFTER, 'perhaps the page'],
  ['Unexpected command after page received', AFTER, 'perhaps the page'],
  ['Far end is not compatible', TAKES_NOT, 'nothing'],
  ['Far end cannot receive at the resolution of the image', TAKES_NOT, 'nothing'],
  ['Polling not accepted', TAKES_NOT, 'nothing'],
  ['TIFF/F file cannot be opened', IMAGE, 'nothing'],
  ['Incorrect values for TIFF/F tags', IMAGE, 'nothing'],
  ['error reading file', IMAGE, 'nothing'],
  ['error starting fax session', NOT_BEGUN, 'nothing'],
  ['remote channel hungup', CUT, 'perhaps the page'],
  ['fax session timed-out', 'The fax machines took too long.', 'perhaps the page'],
  ['something that nobody documents', 'The fax transmission failed.', 'perhaps the page'],
])('the text “%s” is said to a person in words', (statusText, sentence, proves) => {
  expect(findStopCause({ error: '', statusText })).toMatchObject({ sentence, proves });
});

test('an error without a text is said in words as well', () => {
  expect(findStopCause({ error: 'HANGUP', statusText: '' }).sentence).toBe(CUT);
  expect(findStopCause({ error: 'T38_NEG_ERROR', statusText: '' })).toMatchObject({
    sentence:
      'The other side did not switch to fax (T.38). If it happens again, the next call to this number does not use it.',
    proves: 'nothing',
  });
});

describe('a fax that was answered', () => {
  test('is sent only with SUCCESS, and never without the number of its pages', () => {
    expect(report({ status: 'SUCCESS', error: 'HANGUP', pages: 3 })).toMatchObject({
      outcome: 'success',
      pages: 3,
    });
    expect(report({ status: 'SUCCESS', pages: null })).toMatchObject({ outcome: 'unconfirmed' });
    expect(report({ status: 'SUCCESS', pages: 4 })).toMatchObject({ outcome: 'unconfirmed' });
    for (const status of ['FAILED', 'FAILURE', 'success', ''])
      expect(report({ status, pages: 3, statusText: 'OK' }).outcome).not.toBe('success');
  });

  test('says how many pages were confirmed before the call was cut', () => {
    expect(report({ pages: 1, statusText: 'The call dropped prematurely' })).toMatchObject({
      outcome: 'failed',
      failure: '1 of 3 pages was confirmed. The call was cut off.',
      noPageTransmitted: false,
      failureCode: 'The call dropped prematurely',
    });
  });

  test('is a question when the last page may have been printed', () => {
    const text = { statusText: 'Received a DCN from remote after sending a page' };
    expect(report({ ...text, pages: 2 })).toMatchObject({
      outcome: 'unconfirmed',
      failure: `2 of 3 pages were confirmed. Page 3 was sent completely but not confirmed. The last page may have been printed. ${CHECK}`,
    });
    expect(report({ ...text, pages: 0 }, 1).failure).toBe(
      `Page 1 was sent completely but not confirmed. The page may have been printed. ${CHECK}`,
    );
    expect(report({ ...text, pages: 0 })).toMatchObject({
      outcome: 'failed',
      failure: 'Page 1 was sent completely but not confirmed.',
    });
    expect(report({ ...text, pages: 1 })).toMatchObject({ outcome: 'failed' });
    expect(report({ ...text, pages: 1 }, null)).toMatchObject({ outcome: 'unconfirmed' });
  });

  test('and ended before a page can begin certainly sent nothing', () => {
    const hungUp = { statusText: 'remote channel hungup', endedAt: 1_002 };
    expect(report(hungUp, 1)).toMatchObject({
      outcome: 'failed',
      failure: 'The other side hung up right away.',
      noPageTransmitted: true,
    });
    // A clock that was set back proves nothing.
    expect(report({ ...hungUp, endedAt: 990 }, 1)).toMatchObject({ outcome: 'unconfirmed' });
  });

  test('by a voice certainly sent nothing', () => {
    const voice = { statusText: 'Timed out waiting for initial communication' };
    expect(report(voice, 1)).toMatchObject({ outcome: 'failed', failure: NO_FAX, noPageTransmitted: true });
    expect(report({ ...voice, pages: 1 })).toMatchObject({ outcome: 'failed', noPageTransmitted: false });
  });
});

test('a call of which the engine lost everything is a question, unless nobody had answered', () => {
  expect(reportOfLostCall('a1', false)).toMatchObject({ outcome: 'failed', noPageTransmitted: true });
  for (const wasAnswered of [true, null])
    expect(reportOfLostCall('a1', wasAnswered)).toMatchObject({
      outcome: 'unconfirmed',
      noPageTransmitted: false,
    });
});

describe('the note of the dialplan', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  test('rule (telephony): the note of the dialplan is read as the engine wrote it', () => {
    const facts =
      'status=SUCCESS;pages=3;rate=14400;resolution=8031x7700;mode=T38;ecm=yes;answered=1700000000;ended=1700000060;cause=16';
    const words = `error=;station=${base64('+1 202 555 0199')};statusstr=${base64('OK')};techcause=`;
    expect(readOutcome(facts, words)).toEqual({
      status: 'SUCCESS',
      error: '',
      statusText: 'OK',
      pages: 3,
      rateBps: 14_400,
      mode: 't38',
      resolution: '204x196',
      ecm: true,
      stationId: '+1 202 555 0199',
      answeredAt: 1_700_000_000,
      endedAt: 1_700_000_060,
      cause: 16,
      sipStatus: null,
    });
  });

  test('of a call that nobody took says why, by the carrier or because it rang in vain', () => {
    const read = (cause: string, carrier: string) =>
      readOutcome(`status=;ended=1700000060;answered=;cause=${cause}`, `techcause=${base64(carrier)}`);
    expect(read('21', 'SIP 403 Forbidden')).toMatchObject({ cause: 21, sipStatus: 403 });
    expect(read('0', 'SIP 302 Moved Temporarily')).toMatchObject({ cause: null, sipStatus: 302 });
    expect(read('0', 'SIP 180 Ringing')).toMatchObject({ cause: 19, sipStatus: null });
    expect(read('0', 'SIP 487 Request Terminated')?.cause).toBe(19);
    expect(read('', '')).toMatchObject({ cause: null, sipStatus: null, answeredAt: null });
  });

  test('of a call that was answered has no answer of the carrier to a call', () => {
    const facts = 'status=SUCCESS;pages=1;ended=1700000060;answered=1700000000;cause=16';
    expect(readOutcome(facts, `techcause=${base64('SIP 488 Not Acceptable Here')}`)?.sipStatus).toBeNull();
  });

  test('that is none, or that the other side filled, harms nothing', () => {
    for (const text of ['', 'x', 'status', 'status=SUCCESS', ';;;']) expect(readOutcome(text, '')).toBeNull();
    const facts = 'status=SUCCESS\u0007;ended=9e9;pages=-1;mode=x';
    const hostile = readOutcome(
      facts,
      `station=${base64(`a\u202eb\n${'x'.repeat(500)}`)};status=FAILED;pages=9`,
    );
    expect(hostile).toMatchObject({ status: 'SUCCESS', endedAt: null, pages: null, mode: null });
    expect(hostile?.stationId).toHaveLength(120);
  });
});
