import { lazy, Suspense, useState } from 'react';
import { loadPart } from '../../api/load-part.ts';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';

const OpenedByList = lazy(async () => ({
  default: (await loadPart(() => import('./opened-by-list.tsx'))).OpenedByList,
}));

/**
 * Shows who opened, printed or downloaded the documents of a fax. Visible with the permission `audit:read`, and loaded
 * on demand.
 */
export function OpenedBy({ faxId, className }: { faxId: string; className: string | undefined }) {
  const mayRead = usePermission('audit:read');
  const [isShown, setShown] = useState(false);
  const words = t.fax.openedBy;
  if (!mayRead) return null;
  return (
    <section className={className} aria-label={words.title}>
      <h3>{words.title}</h3>
      {isShown ? (
        <Suspense fallback={<p role="status">{t.ui.loading}</p>}>
          <OpenedByList faxId={faxId} />
        </Suspense>
      ) : (
        <Button onPress={() => setShown(true)}>{words.show}</Button>
      )}
    </section>
  );
}
