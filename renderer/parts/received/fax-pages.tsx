import { type RefObject, useCallback, useEffect, useState } from 'react';
import type { InboundFax } from '../../api/inbound.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { formatCount, usePhoneFormat } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageImage } from '../pages/page-image.tsx';
import type { OnTurn, PictureRequest } from '../pages/page-props.ts';
import { PageViewer } from '../pages/page-viewer.tsx';
import { useReader } from '../pages/reader.ts';
import { senderOf } from './fax-words.ts';
import { type PageSize, pageAddress, sizeFor } from './page-address.ts';
import { PageTools } from './page-tools.tsx';
import styles from './received-fax.module.css';
import { useFaxTurns } from './use-fax-turns.ts';
import { useWideLayout } from './use-wide-layout.ts';
import type { ViewProps } from './view-options.ts';

interface FaxPagesProps extends ViewProps {
  readonly fax: InboundFax;
  readonly next: InboundFax | undefined;
  readonly pageFrame: RefObject<HTMLDivElement | null>;
  readonly toPages: RefObject<boolean>;
  /** Something was done with the fax. */
  readonly onAct: () => void;
}

/** Size of the last fax that was shown, so that the next one is requested in it at once. */
let lastSize: PageSize = 'half';

/** The pages as they came, in true proportions. */
export function FaxPages(props: FaxPagesProps) {
  const { fax, next, pageFrame, toPages, view, onView, onAct } = props;
  const count = fax.pages ?? 1;
  const reader = useReader(pageFrame);
  const [current, setCurrent] = useState(1);
  const { turnsOf, turn, error } = useFaxTurns(fax, count, current);
  const { picture, size, onWidth } = usePictures(fax);
  const isRoomy = useWideLayout();
  const withThumbs = view.withThumbs ?? isRoomy;
  useNextPage(next, size);
  useEffect(() => {
    if (!toPages.current) return;
    toPages.current = false;
    pageFrame.current?.focus();
  }, [pageFrame, toPages]);
  const onTurn: OnTurn = (by, of) => {
    onAct();
    turn(by, of);
  };
  const onThumbs = () => onView({ ...view, withThumbs: !withThumbs });
  const onZoom = (zoom: typeof view.zoom) => onView({ ...view, zoom });
  return (
    <>
      <PageTools {...{ fax, view, onZoom, onThumbs, onTurn, onAct, reader, count, current, withThumbs }} />
      {error !== null && (
        <div className={styles['problem']}>
          <Notice tone="danger" isLive title={t.inbox.viewer.notTurned}>
            {sentenceOf(error)}
          </Notice>
        </div>
      )}
      <PageViewer
        {...{ reader, count, current, turnsOf, onTurn, withThumbs, onThumbs, onZoom, onWidth, picture }}
        onCurrent={(page) => {
          onAct();
          setCurrent(page);
        }}
        zoom={view.zoom}
        isSingle={view.isSingle}
        onSingle={() => onView({ ...view, isSingle: !view.isSingle })}
      />
    </>
  );
}

/** Returns the pictures of the pages, as large as they are shown. */
function usePictures(fax: InboundFax) {
  const phone = usePhoneFormat();
  const [size, setSize] = useState(lastSize);
  const { id } = fax;
  const sender = senderOf(fax, phone);
  const picture = useCallback(
    (request: PictureRequest) => (
      <PageImage
        src={pageAddress(id, request.page, request.size === 'sheet' ? size : 'thumb')}
        alt={t.inbox.viewer.page(formatCount(request.page), sender)}
        request={request}
        isSquare
      />
    ),
    [id, sender, size],
  );
  const onWidth = useCallback((dots: number) => {
    lastSize = sizeFor(dots);
    setSize(lastSize);
  }, []);
  return { picture, size, onWidth };
}

/**
 * Has the gateway draw the first page of the next fax while this one is read. Sends a HEAD request only: the gateway
 * keeps the picture, and the audit records no opening of a fax that the person may never reach.
 */
function useNextPage(next: InboundFax | undefined, size: PageSize): void {
  const id = next?.status === 'received' && next.document_kept ? next.id : null;
  useEffect(() => {
    if (id === null) return;
    // On failure the picture is requested again, and the reason shown, once the fax is opened.
    fetch(pageAddress(id, 1, size), { method: 'HEAD' }).catch(() => undefined);
  }, [id, size]);
}
