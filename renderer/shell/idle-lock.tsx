import { useEffect } from 'react';
import { useInstallation } from '../api/queries.ts';
import { endSession } from './session.ts';

const ACTIVITY = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'drop'] as const;
const SHARED_KEY = 'faxdesk.last-activity';
const CHECK_MS = 5_000;

/** Another window of the same person counts too, so all windows share the time of the last use. */
function lastUse(): number {
  return Number(localStorage.getItem(SHARED_KEY) ?? 0);
}

/** Ends the session after the set minutes without use. Drafts belong to the person and come back with them. */
export function IdleLock() {
  const minutes = useInstallation()?.idle_lock_minutes ?? 0;
  // From the first moment on, also while the gateway has not answered yet after how many minutes it locks.
  useEffect(() => {
    let written = 0;
    const used = () => {
      const now = Date.now();
      if (now - written < 1_000) return;
      written = now;
      localStorage.setItem(SHARED_KEY, String(now));
    };
    used();
    for (const name of ACTIVITY) window.addEventListener(name, used, { passive: true, capture: true });
    return () => {
      for (const name of ACTIVITY) window.removeEventListener(name, used, { capture: true });
    };
  }, []);
  useEffect(() => {
    if (minutes === 0) return;
    const check = () => {
      if (Date.now() - lastUse() >= minutes * 60_000) void endSession('locked');
    };
    check();
    const timer = setInterval(check, CHECK_MS);
    return () => clearInterval(timer);
  }, [minutes]);
  return null;
}
