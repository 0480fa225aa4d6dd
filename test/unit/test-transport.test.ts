import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTestTransport } from '../../server/adapters/test-transport/test-transport.ts';
import { NO_LIMITS } from '../../server/features/contacts/line-memory-port.ts';
import { transportOf } from '../../server/features/outbound/plan/transport-of.ts';
import {
  type FaxToSend,
  type Transport,
  TransportError,
  type TransportName,
} from '../../server/features/outbound/transport-port.ts';
import { TEST_OUTCOMES, testOutcomeOf } from '../../shared/test-numbers.ts';
import { ManualClock, MINUTE, SECOND } from '../setup/manual-clock.ts';

const NAMES: readonly TransportName[] = [
  { kind: 'provider', backend: 'cloudone' },
  { kind: 'line', backend: 'sip' },
  { kind: 'own_number', backend: 'internal' },
];
const TEST: TransportName = { kind: 'test', backend: 'test' };

describe('rule (outbound): a fax gets no transport of the other kind, whatever its plan names', () => {
  const asked: TransportName[] = [];
  const transports = {
    of: (name: TransportName) => {
      asked.push(name);
      return name as Transport;
    },
  };
  const testFax = { id: 'a', test: 1 } as const;
  const liveFax = { id: 'b', test: 0 } as const;

  test.each(NAMES)('a test fax never gets $kind', (name) => {
    for (const jobs of [[testFax], [liveFax, testFax], [testFax, testFax]]) {
      expect(() => transportOf({ transports }, jobs, name)).toThrow(TransportError);
      expect(asked).toEqual([]);
    }
    expect(transportOf({ transports }, [liveFax], name)).toBe(name);
    asked.length = 0;
  });

  test('a live fax never gets the transport that hands faxes to nobody', () => {
    expect(() => transportOf({ transports }, [liveFax], TEST)).toThrow(/must not use the transport test/u);
    expect(() => transportOf({ transports }, [testFax, liveFax], TEST)).toThrow(TransportError);
    expect(asked).toEqual([]);
    expect(transportOf({ transports }, [testFax], TEST)).toBe(TEST);
  });

  test('nothing else of the room takes a transport by its name', () => {
    const folder = 'server/features/outbound';
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    expect(sources.length).toBeGreaterThan(50);
    const takers = sources.filter((name) =>
      /transports\s*\.of\(/u.test(readFileSync(join(folder, name), 'utf8')),
    );
    expect(takers).toEqual([join('plan', 'transport-of.ts')]);
  });
});

describe('the transport of test faxes', () => {
  const clock = new ManualClock();
  const transport = createTestTransport(clock);
  const fax = (to: string): FaxToSend => ({
    attemptId: '0190-a',
    jobId: 'b',
    pages: 3,
    from: null,
    to,
    document: { path: '/nowhere/at/all.pdf', sizeBytes: 1, sha256: '', fileName: 'fax.pdf' },
    documentUrl: null,
    header: null,
    callbackUrl: null,
    limits: NO_LIMITS,
  });

  test('opens no connection and no file', () => {
    const source = readFileSync('server/adapters/test-transport/test-transport.ts', 'utf8');
    const imported = [...source.matchAll(/from '([^']+)'/gu)].map(([, name]) => name);
    expect(imported).toEqual([
      '../../../shared/backends.ts',
      '../../../shared/test-numbers.ts',
      '../../features/outbound/transport-port.ts',
      '../../platform/clock.ts',
    ]);
    expect(source).not.toMatch(/fetch\(|import\(/u);
  });

  test('has one reserved number for each outcome, in every area', () => {
    for (const [outcome, { ending }] of Object.entries(TEST_OUTCOMES))
      for (const area of ['202', '416', '787'])
        expect(testOutcomeOf(`+1${area}55501${ending}`)).toBe(outcome);
    for (const other of ['+12025550199', '+12025551001', '+4930123455501', '+120255501011', ''])
      expect(testOutcomeOf(other)).toBe('delivered');
  });

  test('has its numbers and outcomes in the documentation', () => {
    const page = readFileSync('docs/test-keys.md', 'utf8');
    for (const { ending, text } of Object.values(TEST_OUTCOMES))
      expect(page).toContain(`| +1 202 555 01${ending} | ${text} |`);
  });

  test('reports after a restart what the reference says, from the time alone', async () => {
    const { reference } = await transport.submit(null, fax('+12025550105'));
    expect(await transport.fetchReport(null, reference)).toMatchObject({ outcome: 'in_progress' });
    clock.advance(MINUTE);
    expect(await createTestTransport(clock).fetchReport(null, reference)).toMatchObject({
      outcome: 'in_progress',
    });
    clock.advance(MINUTE);
    expect(await createTestTransport(clock).fetchReport(null, reference)).toMatchObject({
      outcome: 'success',
      pages: 3,
      cost: null,
    });
  });

  test('stops a fax that has no outcome yet, and no other', async () => {
    const { reference } = await transport.submit(null, fax('+12025550123'));
    expect(await transport.stop?.(null, reference)).toMatchObject({
      outcome: 'failed',
      rawStatus: 'stopped',
    });
    clock.advance(2 * SECOND);
    expect(await transport.stop?.(null, reference)).toBeNull();
  });

  test('has no other fax', async () => {
    for (const reference of ['', '12345', 'test-unheard_of-1-1-a', 'test-busy-x-1-a'])
      await expect(transport.fetchReport(null, reference)).rejects.toThrow('no such test fax');
  });
});
