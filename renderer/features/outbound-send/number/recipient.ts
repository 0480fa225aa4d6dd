import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import type { NumberCheck } from '../../../../shared/api/outbound-shapes.ts';
import { client } from '../../../api/client.ts';
import { usePhoneReader } from '../../../ui/phone-reader.ts';
import type { ReadNumber } from '../../../ui/phone-rules.ts';
import type { Draft } from '../draft/draft.ts';

export interface Recipient {
  readonly read: ReadNumber;
  /** The rules by which numbers are read are there. */
  readonly hasRules: boolean;
  /** The typed number by the rules alone, E.164; null while it is none. */
  readonly number: string | null;
  /** The number, E.164, once the gateway reads it in the same way: what is shown is where the fax goes. */
  readonly to: string | null;
  /** The gateway's check of the number; null until it arrives. */
  readonly check: z.infer<typeof NumberCheck> | null;
  /** Error of the check. */
  readonly failure: unknown;
  readonly askAgain: () => void;
  /** Its last four digits have to be typed again before a fax may go there. */
  readonly needsDigits: boolean;
  /** No country has its code, and nobody said yet that it is right. */
  readonly asksForCode: boolean;
  /** They were. */
  readonly isConfirmed: boolean;
}

const SETTLE_MS = 200;

/** Returns the recipient of the draft: parsed by the numbering rules at once, checked by the gateway a moment later. */
export function useRecipient(draft: Draft, country: string): Recipient {
  const reader = usePhoneReader();
  const read = reader?.readNumber(draft.to, country) ?? unread(draft.to);
  const to = read.kind === 'number' ? read.to : null;
  const settled = useSettled(to, SETTLE_MS);
  const asked = useQuery({
    queryKey: ['number-check', settled],
    enabled: settled !== null && settled === to,
    staleTime: 0,
    queryFn: ({ signal }) => client.outbound.checkNumber({ query: { to: settled ?? '' }, signal }),
  });
  const check = to !== null && settled === to ? (asked.data ?? null) : null;
  const isConfirmed = to !== null && draft.confirmed === to;
  return {
    read,
    hasRules: reader !== null,
    number: to,
    to: check?.to === to ? to : null,
    check,
    failure: check === null && to !== null && settled === to ? asked.error : null,
    askAgain: () => void asked.refetch(),
    needsDigits: check?.first_time === true && !check.internal && !check.blocked && !isConfirmed,
    asksForCode:
      read.kind === 'number' &&
      read.hasUnknownCode === true &&
      check?.first_time === true &&
      !check.blocked &&
      draft.allowed !== to,
    isConfirmed,
  };
}

/** Before the rules of all countries are there. */
function unread(text: string): ReadNumber {
  return { kind: text.trim() === '' ? 'empty' : 'beginning' };
}

/** The value once it has stayed the same for a while. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** The digits of a number that are typed again. */
export const lastFour = (to: string): string => to.slice(-4);

interface DigitPart {
  readonly text: string;
  readonly differs: boolean;
}

/** A written number cut where its digits differ from another's, which has as many. */
export function differingParts(written: string, other: string): DigitPart[] {
  const others = other.replaceAll(/\D/gu, '');
  let index = 0;
  return Array.from(written).map((sign) => {
    if (!/\d/u.test(sign)) return { text: sign, differs: false };
    const differs = others[index] !== sign;
    index += 1;
    return { text: sign, differs };
  });
}
