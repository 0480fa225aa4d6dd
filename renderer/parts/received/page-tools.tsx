import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { client } from '../../api/client.ts';
import type { InboundFax } from '../../api/inbound.ts';
import { loadPart } from '../../api/load-part.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { FileLink } from '../../ui/download-link.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageNumber } from '../pages/page-number.tsx';
import type { OnTurn } from '../pages/page-props.ts';
import type { Reader } from '../pages/reader.ts';
import { type Zoom, ZoomButtons } from '../pages/zoom.tsx';
import { pdfAddress } from './page-address.ts';
import styles from './received-fax.module.css';
import type { ViewOptions } from './view-options.ts';

interface PageToolsProps {
  readonly fax: InboundFax;
  readonly view: ViewOptions;
  readonly reader: Reader;
  readonly count: number;
  readonly current: number;
  readonly withThumbs: boolean;
  readonly onThumbs: () => void;
  readonly onZoom: (zoom: Zoom) => void;
  readonly onTurn: OnTurn;
  /** Called on every use. */
  readonly onAct: () => void;
}

/** Tools for the pages: which one, how large and how turned; printing and download. */
export function PageTools(props: PageToolsProps) {
  const { fax, view, reader, count, current, withThumbs, onThumbs, onZoom, onTurn, onAct } = props;
  const words = t.inbox.viewer;
  const print = usePrint(fax);
  const saved = useRef<HTMLSpanElement>(null);
  const onPrint = () => {
    onAct();
    print.mutate();
  };
  useActions(t.inbox.thisFax, [
    {
      id: 'print',
      label: words.print,
      icon: 'print',
      keys: 'p',
      alsoKeys: ['mod+p'],
      isDisabled: print.isPending,
      run: onPrint,
    },
    {
      id: 'save',
      label: words.save,
      icon: 'download',
      keys: 'mod+s',
      run: () => saved.current?.querySelector('a')?.click(),
    },
  ]);
  return (
    <>
      <div className={styles['tools']} role="group" aria-label={words.tools} onClickCapture={onAct}>
        {count > 1 && <IconButton icon="thumbs" label={words.thumbs} isOn={withThumbs} onPress={onThumbs} />}
        <PageNumber {...{ count, current, reader }} />
        <ZoomButtons zoom={view.zoom} onZoom={onZoom} reader={reader} />
        <span className={styles['parting']} />
        <Turning onTurn={() => onTurn(1, 'page')} onPrint={onPrint} isPrinting={print.isPending} />
        <span ref={saved} className={styles['tool']}>
          <FileLink href={pdfAddress(fax.id, 'download')} icon="download" label={words.save} />
        </span>
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
function Turning(props: { onTurn: () => void; onPrint: () => void; isPrinting: boolean }) {
  const { onTurn, onPrint, isPrinting } = props;
  const words = t.inbox.viewer;
  return (
    <>
      <span className={styles['tool']} title={words.turn}>
        <Button variant="plain" icon="rotate" keys="r" onPress={onTurn}>
          <span>{words.turn}</span>
        </Button>
      </span>
      <span className={styles['tool']} title={words.print}>
        <Button variant="plain" icon="print" keys="p" isPending={isPrinting} onPress={onPrint}>
          <span>{words.print}</span>
        </Button>
      </span>
    </>
  );
}

function usePrint({ id }: InboundFax) {
  return useMutation({
    mutationFn: async () => {
      announce(t.inbox.viewer.printing);
      const bytes = await client.inbound.inboundPdf({ params: { id }, query: { purpose: 'print' } });
      const { printPdf } = await loadPart(() => import('../pages/print-pdf.ts'));
      await printPdf(bytes);
    },
  });
}
