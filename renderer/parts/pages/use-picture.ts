import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { probePicture } from '../../api/picture.ts';
import { isStatus } from '../../api/sentence.ts';

interface Picture {
  /** Changes with each try, so that the element of an earlier one does not load again. */
  readonly tried: number;
  readonly isBroken: boolean;
  /** Reason of the failure, once it is known. */
  readonly error: unknown;
  /** The element could not load or draw it. */
  readonly failed: () => void;
  readonly tryAgain: () => void;
}

const MAX_UNDRAWN = 2;

/**
 * Tracks the loading of a picture. When it fails, a request finds the reason; without a response the request is
 * repeated, and the picture is loaded once there is one.
 */
export function usePicture(address: string, onGone: (() => void) | undefined): Picture {
  const [tried, setTried] = useState(0);
  const [isBroken, setBroken] = useState(false);
  /**
   * Number of times the request succeeded and the picture was not drawn all the same; in the end only a person tries
   * again.
   */
  const undrawn = useRef(0);
  const asked = useQuery({
    queryKey: ['picture', address, tried],
    enabled: isBroken && undrawn.current < MAX_UNDRAWN,
    retry: false,
    gcTime: 0,
    queryFn: ({ signal }) => probePicture(address, signal),
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
