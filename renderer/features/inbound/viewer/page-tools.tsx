import { useMutation } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import type { InboundFax } from '../../../api/inbound.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { ZoomButtons } from '../../../parts/pages/zoom.tsx';
import { t } from '../../../texts/index.ts';
import { useActions } from '../../../ui/actions.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { FileLink } from '../../../ui/download-link.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './fax-viewer.module.css';
import { pdfAddress } from './page-address.ts';
import type { ViewProps } from './view-options.ts';

/** Size, turning, paper and files. */
export function PageTools({
  fax,
  view,
  onView,
  onTurn,
}: ViewProps & { fax: InboundFax; onTurn: () => void }) {
  const words = t.inbox.viewer;
  const print = usePrint(fax);
  useActions(t.inbox.thisFax, [
    { id: 'turn', label: words.turnPage, icon: 'rotate', keys: 'r', run: onTurn },
    {
      id: 'print',
      label: words.print,
      icon: 'print',
      keys: 'p',
      isDisabled: print.isPending,
      run: () => print.mutate(),
    },
  ]);
  return (
    <>
      <div className={styles['tools']} role="group" aria-label={words.tools}>
        {(fax.pages ?? 1) > 1 && (
          <IconButton
            icon="thumbs"
            label={words.thumbs}
            isOn={view.withThumbs}
            onPress={() => onView({ ...view, withThumbs: !view.withThumbs })}
          />
        )}
        <ZoomButtons zoom={view.zoom} onZoom={(zoom) => onView({ ...view, zoom })} />
        <span className={styles['parting']} />
        <Button variant="plain" icon="rotate" keys="r" onPress={onTurn}>
          {words.turn}
        </Button>
        <Button
          variant="plain"
          icon="print"
          keys="p"
          isPending={print.isPending}
          onPress={() => print.mutate()}
        >
          {words.print}
        </Button>
        <FileLink href={pdfAddress(fax.id, 'download')} icon="download" label={words.save} />
        {/* In the desktop window nothing outside of it is signed in. */}
        {!window.faxdesk && (
          <FileLink href={pdfAddress(fax.id, 'open')} icon="open" label={words.open} isTab />
        )}
      </div>
      {print.error !== null && (
        <div className={styles['problem']}>
          <Notice tone="danger" isLive>
            {sentenceOf(print.error)}
          </Notice>
        </div>
      )}
    </>
  );
}

function usePrint({ id }: InboundFax) {
  return useMutation({
    mutationFn: async () => {
      announce(t.inbox.viewer.printing);
      const bytes = await client.inbound.inboundPdf({ params: { id }, query: { purpose: 'print' } });
      const { printPdf } = await import('../../../parts/pages/print-pdf.ts');
      await printPdf(bytes);
    },
  });
}
