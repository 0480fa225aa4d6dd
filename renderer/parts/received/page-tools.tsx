import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import type { InboundFax } from '../../api/inbound.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { FileLink } from '../../ui/download-link.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ZoomButtons } from '../pages/zoom.tsx';
import { pdfAddress } from './page-address.ts';
import styles from './received-fax.module.css';
import type { ViewProps } from './view-options.ts';

/**
 * Tools for zoom, rotation, printing and download; `onAct` is called on every use. `isNarrow` shows icons without
 * words.
 */
export function PageTools({
  fax,
  view,
  onView,
  onTurn,
  onAct,
  isNarrow,
}: ViewProps & { fax: InboundFax; onTurn: () => void; onAct: () => void; isNarrow: boolean }) {
  const words = t.inbox.viewer;
  const print = usePrint(fax);
  const onPrint = () => {
    onAct();
    print.mutate();
  };
  useActions(t.inbox.thisFax, [
    { id: 'turn', label: words.turnPage, icon: 'rotate', keys: 'r', run: onTurn },
    {
      id: 'print',
      label: words.print,
      icon: 'print',
      keys: 'p',
      isDisabled: print.isPending,
      run: onPrint,
    },
  ]);
  return (
    <>
      <div className={styles['tools']} role="group" aria-label={words.tools} onClickCapture={onAct}>
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
        <Turning {...{ onTurn, onPrint, isNarrow }} isPrinting={print.isPending} />
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

/** With words and keys, or as signs where there is no room for them. */
function Turning(props: { onTurn: () => void; onPrint: () => void; isPrinting: boolean; isNarrow: boolean }) {
  const { onTurn, onPrint, isPrinting, isNarrow } = props;
  const words = t.inbox.viewer;
  if (isNarrow)
    return (
      <>
        <IconButton icon="rotate" label={words.turn} onPress={onTurn} />
        <IconButton icon="print" label={words.print} isPending={isPrinting} onPress={onPrint} />
      </>
    );
  return (
    <>
      <Button variant="plain" icon="rotate" keys="r" onPress={onTurn}>
        {words.turn}
      </Button>
      <Button variant="plain" icon="print" keys="p" isPending={isPrinting} onPress={onPrint}>
        {words.print}
      </Button>
    </>
  );
}

function usePrint({ id }: InboundFax) {
  return useMutation({
    mutationFn: async () => {
      announce(t.inbox.viewer.printing);
      const bytes = await client.inbound.inboundPdf({ params: { id }, query: { purpose: 'print' } });
      const { printPdf } = await import('../pages/print-pdf.ts');
      await printPdf(bytes);
    },
  });
}
