import { useEffect } from 'react';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { showHelp } from './shown-help.ts';

/** Opens a help page where there are no screens yet: before sign-in and in the first setup. F1 does the same. */
export function HelpLink({ page }: { page: string }) {
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== 'F1') return;
      // Browsers open a help of their own.
      event.preventDefault();
      showHelp(page);
    };
    window.addEventListener('keydown', open, { capture: true });
    return () => window.removeEventListener('keydown', open, { capture: true });
  }, [page]);
  return (
    <Button variant="link" onPress={() => showHelp(page)}>
      {t.shell.help}
    </Button>
  );
}
