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
import { keepSize, lastSize, useDrawAhead } from './draw-ahead.ts';
import { senderOf } from './fax-words.ts';
import { pageAddress, sizeFor } from './page-address.ts';
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

/** The pages as they came, in true proportions. */
export function FaxPages(props: FaxPagesProps) {
  const { fax, next, pageFrame, toPages, view, onView, onAct } = props;
  const count = fax.pages ?? 1;
  const reader = useReader(pageFrame);
  const [current, setCurrent] = useState(1);
  const { turnsOf, turn, error } = useFaxTurns(fax, count, current);
  const { picture, onWidth } = usePictures(fax);
  const [isBegun, setBegun] = useState(false);
  const isRoomy = useWideLayout();
  const withThumbs = view.withThumbs ?? isRoomy;
  useDrawAhead(isBegun && next ? [next] : []);
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
        onBegun={() => setBegun(true)}
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
  const [size, setSize] = useState(lastSize());
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
    setSize(keepSize(sizeFor(dots)));
  }, []);
  return { picture, onWidth };
}
