import type { MailOutcome } from '../../adapters/mail/port.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import type { Caller } from '../access/service.ts';
import { recordConnector } from './connectors.ts';
import { recipientsOfConnector } from './create-items.ts';
import { noSuchConnector } from './errors.ts';
import { messageId, testMessage } from './message.ts';
import type { IntakeParts } from './parts.ts';
import { serverOf, unencryptedProblem } from './server-of.ts';
import { findConnector, recordTest } from './store/connector-store.ts';
import type { ConnectorRow } from './types.ts';

export interface TestResult {
  readonly ok: boolean;
  readonly detail: string;
}

/** Sends a short message to the recipients and records the outcome. Throws 404. */
export async function testConnector(parts: IntakeParts, caller: Caller, id: string): Promise<TestResult> {
  const row = await findConnector(parts.db.read, id);
  if (!row) throw noSuchConnector();
  const result = await sendTest(parts, row);
  await parts.db.transaction(async (tx) => {
    const tested_at = isoTime(parts.clock.now());
    await recordTest(tx, row, { tested_at, test_ok: result.ok ? 1 : 0, test_detail: result.detail });
    await recordConnector(parts, tx, caller, { operation: 'connector.test', row });
  });
  return result;
}

async function sendTest(parts: IntakeParts, row: ConnectorRow): Promise<TestResult> {
  const problem = unencryptedProblem(parts, row);
  if (problem !== null) return { ok: false, detail: problem };
  const to = recipientsOfConnector(row);
  const message = testMessage(row, {
    to,
    at: parts.clock.now(),
    messageId: messageId(`test.${newId()}`, row.from_address),
  });
  return resultOf(await parts.mailer.send(serverOf(parts, row), message, async () => undefined), to.length);
}

function resultOf(outcome: MailOutcome, all: number): TestResult {
  if (outcome.kind !== 'accepted' && (outcome.kind === 'unknown' || outcome.refused.size === 0))
    return { ok: false, detail: outcome.sentence };
  const refused = [...outcome.refused].map(([address, sentence]) => `${address}: ${sentence}`);
  if (refused.length > 0) return { ok: false, detail: refused.join(' ') };
  const whom = all === 1 ? 'the recipient' : all === 2 ? 'both recipients' : `all ${all} recipients`;
  return { ok: true, detail: `The e-mail server accepted a test message for ${whom}.` };
}
