import { type RefObject, useEffect, useRef, useState } from 'react';
import type { TerminalEnd } from '../../../shared/states/terminal.ts';
import { loadPart } from '../../api/load-part.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { useCopying } from '../../ui/copying.tsx';
import { BEGIN } from '../../ui/focus/places.ts';
import { Notice } from '../../ui/notice.tsx';
import { Pane, PaneBody, PaneFoot, PaneHead } from '../../ui/pane.tsx';
import styles from './system.module.css';
import type { TerminalView } from './terminal-view.ts';

const words = t.system.terminal;

/** State of the terminal on the page. */
type Shown =
  | { readonly state: 'closed' }
  | { readonly state: 'opening' }
  | { readonly state: 'open' }
  | { readonly state: 'ended'; readonly reason: TerminalEnd | null }
  | { readonly state: 'refused'; readonly sentence: string };

/** Shows the command line of Faxdesk. It opens by a press, because each terminal is recorded. */
export function TerminalPage() {
  const [shown, setShown] = useState<Shown>({ state: 'closed' });
  const placeRef = useRef<HTMLDivElement>(null);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const { view, open, close } = useTerminal(placeRef, buttonRef, setShown);
  const isShown = shown.state === 'open' || shown.state === 'opening' || shown.state === 'ended';
  return (
    <Pane label={words.title}>
      <PaneHead isForm title={words.title}>
        {shown.state === 'open' ? (
          <>
            <CopyButton view={view} />
            <Button ref={buttonRef} onPress={close}>
              {words.close}
            </Button>
          </>
        ) : (
          <Button
            ref={buttonRef}
            variant="primary"
            isDisabled={shown.state === 'opening'}
            onPress={open}
            {...BEGIN}
          >
            {shown.state === 'ended' ? words.again : words.open}
          </Button>
        )}
      </PaneHead>
      {!isShown && (
        <PaneBody isPadded label={words.title}>
          <div className={styles['column']}>
            {shown.state === 'refused' && (
              <Notice tone="danger" isLive>
                {shown.sentence}
              </Notice>
            )}
            {words.sentences.map((sentence) => (
              <p key={sentence} className={styles['quiet']}>
                {sentence}
              </p>
            ))}
          </div>
        </PaneBody>
      )}
      {shown.state === 'ended' && (
        <div className={styles['terminalNotice']}>
          <Notice tone="plain" isLive>
            {shown.reason === null ? words.lost : words.ends[shown.reason]}
          </Notice>
        </div>
      )}
      <div className={styles['terminal']} hidden={!isShown}>
        {/* xterm measures this element, so it has no padding. */}
        <div ref={placeRef} className={styles['terminalPlace']} />
      </div>
      {isShown && (
        <PaneFoot isForm wraps>
          <span className={styles['hint']}>{words.keys}</span>
        </PaneFoot>
      )}
    </Pane>
  );
}

function CopyButton({ view }: { view: RefObject<TerminalView | null> }) {
  const [text, setText] = useState('');
  const { label, button } = useCopying(text);
  return (
    <Button
      icon={button.icon}
      onPressStart={() => setText(view.current?.text() ?? '')}
      onPress={button.onPress}
      onBlur={button.onBlur}
    >
      {label}
    </Button>
  );
}

/** The terminal in an element; it ends with the page. */
function useTerminal(
  placeRef: RefObject<HTMLDivElement | null>,
  buttonRef: RefObject<HTMLButtonElement | null>,
  setShown: (shown: Shown) => void,
) {
  const view = useRef<TerminalView | null>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      view.current?.close();
      view.current = null;
    };
  }, []);

  const open = async () => {
    view.current?.close();
    view.current = null;
    setShown({ state: 'opening' });
    try {
      // With xterm, which no other screen loads.
      const { openTerminalView } = await loadPart(() => import('./terminal-view.ts'));
      const place = placeRef.current;
      if (place === null || isGone.current) return;
      const opened = await openTerminalView(place, {
        label: words.input,
        ended: (reason) => {
          setShown({ state: 'ended', reason });
          requestAnimationFrame(() => buttonRef.current?.focus());
        },
        leave: () => buttonRef.current?.focus(),
      });
      if (isGone.current) return opened.close();
      view.current = opened;
      setShown({ state: 'open' });
      requestAnimationFrame(() => opened.focus());
    } catch (error) {
      setShown({ state: 'refused', sentence: sentenceOf(error) });
    }
  };
  const close = () => {
    view.current?.close();
    view.current = null;
    setShown({ state: 'closed' });
    requestAnimationFrame(() => buttonRef.current?.focus());
  };
  return { view, open: () => void open(), close };
}
