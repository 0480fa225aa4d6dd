import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { aboutProposalQuery } from '../../../api/outbound.ts';
import { AboutFields } from '../../../parts/about/about-fields.tsx';
import { aboutLine, type TypedAbout, typedAbout } from '../../../parts/about/about-words.ts';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { part } from '../../../ui/focus/places.ts';
import { Fold } from '../../../ui/fold.tsx';
import styles from './about-fold.module.css';

/** Form of subject, reference and document type of the fax. Offers those of the last fax to or from the recipient. */
export function AboutFold(props: {
  value: TypedAbout;
  /** E.164; null while no valid number is typed. */
  to: string | null;
  onChange: (value: TypedAbout) => void;
}) {
  const { value, to, onChange } = props;
  const [isOpen, setOpen] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const line = aboutLine(value);
  const proposal = useQuery({ ...aboutProposalQuery(to ?? ''), enabled: to !== null }).data;
  const proposed = proposal && to !== null ? aboutLine(proposal) : null;
  const words = t.fax.about;
  const applyProposal = () => {
    if (!proposal) return;
    onChange(typedAbout(proposal));
    setOpen(true);
    // The values are those of an earlier fax: the person should check them.
    requestAnimationFrame(() => first.current?.focus());
  };
  return (
    <div className={styles['about']} {...part('about')}>
      <Fold title={words.title} summary={line ?? words.optional} isOpen={isOpen} onOpen={setOpen}>
        <div className={styles['fields']}>
          <AboutFields value={value} onChange={onChange} firstRef={first} />
        </div>
      </Fold>
      {line === null && proposed !== null && (
        <p className={styles['proposal']}>
          <span className={styles['text']} title={proposed}>
            {words.lastTime(proposed)}
          </span>
          <Button variant="link" onPress={applyProposal}>
            {words.use}
          </Button>
        </p>
      )}
    </div>
  );
}
