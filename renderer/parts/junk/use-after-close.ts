import { useEffect, useRef, useState } from 'react';

/** Returns a function that runs `act` once the dialog that calls it is gone: an open dialog keeps the focus. */
export function useAfterClose(act: () => void): () => void {
  const [isClosed, setClosed] = useState(false);
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!isClosed) return;
    setClosed(false);
    latest.current();
  }, [isClosed]);
  return () => setClosed(true);
}
