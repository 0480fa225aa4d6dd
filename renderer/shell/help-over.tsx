import { lazy, Suspense } from 'react';
import { loadPart } from '../api/load-part.ts';
import { showHelp, useShownHelp } from '../parts/help/shown-help.ts';
import { WaitsForDialog } from '../ui/focus/waits.tsx';

const HelpDialog = lazy(async () => ({
  default: (await loadPart(() => import('../features/console-help/help-dialog.tsx'))).HelpDialog,
}));

/** The help page that is shown over a dialog, or before there are screens. */
export function HelpOver() {
  const page = useShownHelp();
  if (page === null) return null;
  return (
    <Suspense fallback={<WaitsForDialog />}>
      <HelpDialog page={page} onClose={() => showHelp(null)} />
    </Suspense>
  );
}
