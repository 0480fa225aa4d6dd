import { useMutation } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { type InboundFax, inboundQuery } from '../../api/inbound.ts';
import { queryClient } from '../../api/queries.ts';
import type { OnTurn } from '../pages/page-props.ts';

const NONE: ReadonlyMap<number, number> = new Map();

interface FaxTurns {
  /** Returns the quarter turns to the right of a page. */
  readonly turnsOf: (page: number) => number;
  readonly turn: OnTurn;
  /** Null unless the last turn was not kept for everybody. */
  readonly error: unknown;
}

/**
 * Returns how far the pages of a received fax are turned, for everybody who reads it, and a function that turns the current
 * page or all pages. A turn shows at once, before it is recorded.
 */
export function useFaxTurns(fax: InboundFax, count: number, current: number): FaxTurns {
  const { id } = fax;
  /** Turns that are on their way. */
  const [own, setOwn] = useState(NONE);
  const recorded = useMemo(
    () => new Map(fax.turned_pages.map(({ page, quarter_turns }) => [page, quarter_turns])),
    [fax.turned_pages],
  );
  const turnsOf = useCallback((page: number) => own.get(page) ?? recorded.get(page) ?? 0, [own, recorded]);
  const underway = useRef<Promise<unknown>>(Promise.resolve());
  const countUnderway = useRef(0);
  const recording = useMutation({
    mutationFn: async (turns: ReadonlyMap<number, readonly number[]>) => {
      // One after the other, so that the last turn is the one that stays.
      const sent = underway.current.then(async () => {
        for (const [quarter_turns, pages] of turns) {
          const body = { pages: [...pages], quarter_turns };
          const changed = await client.inbound.turnInbound({ params: { id }, body });
          queryClient.setQueryData(inboundQuery(id).queryKey, changed);
        }
      });
      underway.current = sent.catch(() => undefined);
      try {
        await sent;
      } finally {
        countUnderway.current -= 1;
        if (countUnderway.current === 0) setOwn(NONE);
      }
    },
  });
  const turn: OnTurn = (by, of) => {
    const pages = of === 'all' ? Array.from({ length: count }, (_, index) => index + 1) : [current];
    const next = new Map(own);
    const byTurns = new Map<number, number[]>();
    for (const page of pages) {
      const turns = (turnsOf(page) + by + 4) % 4;
      next.set(page, turns);
      byTurns.set(turns, [...(byTurns.get(turns) ?? []), page]);
    }
    setOwn(next);
    countUnderway.current += 1;
    recording.mutate(byTurns);
  };
  return { turnsOf, turn, error: recording.error };
}
