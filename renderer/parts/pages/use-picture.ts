import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { askForPicture } from '../../api/picture.ts';
import { isStatus } from '../../api/sentence.ts';

export interface Picture {
  /** Another one for each try: the element of an earlier one does not ask again. */
  readonly tried: number;
  readonly isBroken: boolean;
  /** Why, once it is known. */
  readonly error: unknown;
  /** The element could not load or draw it. */
  readonly failed: () => void;
  readonly tryAgain: () => void;
}

const MOST_UNDRAWN = 2;

/**
 * Follows the loading of a picture. One that did not come is asked for by a request, which tells why: when nobody answers,
 * again and again, and the picture is loaded once somebody does.
 */
export function usePicture(address: string, onGone: (() => void) | undefined): Picture {
  const [tried, setTried] = useState(0);
  const [isBroken, setBroken] = useState(false);
  /** How often it was there for the request and was not drawn all the same; in the end only a person tries again. */
  const undrawn = useRef(0);
  const asked = useQuery({
    queryKey: ['picture', address, tried],
    enabled: isBroken && undrawn.current < MOST_UNDRAWN,
    retry: false,
    gcTime: 0,
    queryFn: ({ signal }) => askForPicture(address, signal),
  });
  const again = () => {
    setBroken(false);
    setTried((before) => before + 1);
  };
  const isThere = isBroken && asked.data === true;
  useEffect(() => {
    if (!isThere) return;
    undrawn.current += 1;
    again();
  }, [isThere]);
  const isGone = isStatus(asked.error, 404, 410);
  const tell = useRef(onGone);
  tell.current = onGone;
  useEffect(() => {
    if (isGone) tell.current?.();
  }, [isGone]);
  return {
    tried,
    isBroken,
    error: asked.error,
    failed: () => setBroken(true),
    tryAgain() {
      undrawn.current = 0;
      again();
    },
  };
}
