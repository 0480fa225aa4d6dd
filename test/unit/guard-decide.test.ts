import { describe, expect, it } from 'vitest';
import {
  decideGuard,
  type GuardActions,
  type GuardFacts,
  type KnownNumber,
  sentenceOf,
} from '../../server/features/outbound/guard/decide.ts';
import { isSwapped, slipsOf } from '../../server/features/outbound/guard/slips.ts';
import { guardSettings } from '../../server/features/settings/definitions/guard.ts';
import { GUARD_ACTIONS, GUARD_CHECKS } from '../../shared/guard.ts';

const DEFAULTS = Object.fromEntries(
  GUARD_CHECKS.map((check) => [
    check,
    guardSettings[`GUARD_${check.toUpperCase()}` as keyof typeof guardSettings].default,
  ]),
) as unknown as GuardActions;

const TO = '+12025550123';

/** A number that was reached before, of which nothing is wrong. */
const RIGHT: GuardFacts = {
  to: TO,
  isOwn: false,
  isBlocked: false,
  hasOptedOut: false,
  voice: null,
  isContact: true,
  isUsed: true,
  isReached: true,
  failures: 0,
  neighbors: [],
  isSameDocument: false,
};

const NEW = { isContact: false, isUsed: false, isReached: false } as const;
const SISTER: KnownNumber = { to: '+12025550124', name: 'Dr. Weiss' };
const SWAPPED: KnownNumber = { to: '+12025550132', name: null };

/** Facts with which each check alone finds something. */
const WRONG: Record<(typeof GUARD_CHECKS)[number], Partial<GuardFacts>> = {
  blocked: { isBlocked: true },
  opted_out: { hasOptedOut: true },
  voice_number: { voice: { name: 'Dr. Weiss' }, isContact: false },
  own_number: { isOwn: true },
  swapped_digits: { isContact: false, isReached: false, neighbors: [SWAPPED] },
  near_contact: { isContact: false, isReached: false, neighbors: [SISTER] },
  failing: { failures: 3 },
  same_document: { isSameDocument: true },
  first_time: NEW,
};

const found = (facts: Partial<GuardFacts>, actions: Partial<GuardActions> = {}) =>
  decideGuard({ ...RIGHT, ...facts }, { ...DEFAULTS, ...actions });
const checksOf = (facts: Partial<GuardFacts>) => found(facts).map(({ check, action }) => [check, action]);

describe('the wrong-number guard', () => {
  it('finds nothing about a number of a contact that was reached before', () => {
    expect(found({})).toEqual([]);
    expect(found({ neighbors: [SISTER, SWAPPED] })).toEqual([]);
    expect(found({ failures: 2 })).toEqual([]);
  });

  it.each(GUARD_CHECKS)('%s warns, asks, refuses or stays off, as its setting says', (check) => {
    expect(checksOf(WRONG[check])).toEqual([[check, DEFAULTS[check]]]);
    for (const action of GUARD_ACTIONS) {
      const [finding, ...others] = found(WRONG[check], { [check]: action });
      expect(others).toEqual([]);
      if (action === 'off') expect(finding).toBeUndefined();
      else {
        const byDigits = ['swapped_digits', 'near_contact', 'first_time'].includes(check);
        expect(finding).toMatchObject({
          check,
          action,
          answer: action === 'ask' ? (byDigits ? 'digits' : 'yes') : null,
        });
        // The finding, then the advice.
        expect(finding && sentenceOf(finding)).toMatch(/^[A-Z].+\. [A-Z].+\.$/u);
      }
    }
  });

  it('names the known number and its contact, and asks for the digits of a new number', () => {
    const near = found({ ...NEW, neighbors: [SISTER, SWAPPED] }, { near_contact: 'ask' });
    expect(near.map(sentenceOf)).toEqual([
      'One digit is different from a known number: +1 202 555 0124, Dr. Weiss. Retype the last four digits of the number.',
      'No fax was sent to this number before. Retype the last four digits of the number.',
      'Two digits are swapped compared with a known number: +1 202 555 0132. Compare the number digit by digit.',
    ]);
    expect(near.map(({ near: known }) => known)).toEqual([SISTER, null, SWAPPED]);
  });

  it('puts refusals first, then questions, then warnings', () => {
    const all = { ...NEW, isBlocked: true, hasOptedOut: true, isSameDocument: true, failures: 5 };
    expect(checksOf(all)).toEqual([
      ['blocked', 'refuse'],
      ['opted_out', 'ask'],
      ['same_document', 'ask'],
      ['first_time', 'ask'],
      ['failing', 'warn'],
    ]);
  });

  it('takes neither a number of our own nor a telephone that is also a fax for a mistake of the typist', () => {
    expect(checksOf({ ...NEW, isOwn: true, neighbors: [SISTER] })).toEqual([['own_number', 'warn']]);
    expect(found({ voice: { name: 'Dr. Weiss' } })).toEqual([]);
  });
});

describe('slips', () => {
  it('are a replaced digit, swapped neighbors, and a digit too many or too few', () => {
    const slips = slipsOf(TO);
    expect(slips).toContain('+12025550124');
    expect(slips).toContain('+12025551023');
    expect(slips).toContain('+1202555123');
    expect(slips).toContain('+120255550123');
    expect(slips).not.toContain(TO);
    expect(new Set(slips).size).toBe(slips.length);
    expect(slips.length).toBeLessThan(260);
  });

  it('are no longer extensions of the same office', () => {
    expect(slipsOf('+493012345670')).not.toContain('+4930123456710');
    expect(slipsOf('+493012345670')).not.toContain('+4930123456729');
    expect(slipsOf('+493012345670')).toContain('+4930123456700');
    expect(slipsOf('+4930123456710')).not.toContain('+493012345670');
  });

  it('name two swapped neighbors', () => {
    expect(isSwapped('+12025550123', '+12025550132')).toBe(true);
    expect(isSwapped('+12025550123', '+12025550124')).toBe(false);
    expect(isSwapped('+12025550123', '+12025550321')).toBe(false);
    expect(isSwapped('+12025550123', '+12025550133')).toBe(false);
    expect(isSwapped('+1202', '+12025')).toBe(false);
  });
});
