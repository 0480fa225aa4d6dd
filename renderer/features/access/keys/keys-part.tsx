import { useState } from 'react';
import { useListFilter } from '../../../parts/lists/list-filter.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ShownOnce } from '../changes/shown-once.tsx';
import { ListPart } from '../lists/list-part.tsx';
import { NewButton } from '../lists/new-button.tsx';
import { NothingListed } from '../lists/nothing-listed.tsx';
import type { PartProps } from '../part-names.ts';
import { useOpenDetails } from '../use-open-details.ts';
import { useKeyColumns } from './key-columns.tsx';
import { KeyDetails } from './key-details.tsx';
import { NewKeyDialog } from './key-dialogs.tsx';
import { KeyFilters } from './key-filters.tsx';
import { KEY_FILTER, type NewToken, useKeys, useWaitingKeys } from './key-queries.ts';
import styles from './keys.module.css';

const words = t.access.key;

/** The API keys of people and integrations. */
export function KeysPart({ id }: PartProps) {
  const filtering = useListFilter(KEY_FILTER);
  const { filter, setFilter } = filtering;
  const keys = useKeys(filter);
  const columns = useKeyColumns();
  const show = useOpenDetails('keys');
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<NewToken | null>(null);
  const token = (next: NewToken) => {
    setNew(false);
    setMade(next);
  };
  return (
    <ListPart
      part="keys"
      id={id}
      title={t.access.keys}
      actions={<NewButton part={t.access.keys} label={words.new} onPress={() => setNew(true)} />}
      above={
        <>
          <KeyFilters {...filtering} named={keys.items} />
          {filter.state !== 'review' && <WaitingKeys onShow={() => setFilter({ state: 'review' })} />}
        </>
      }
      rows={keys}
      labels={{ list: t.access.keys, details: words.details }}
      columns={columns}
      rowClassName={styles['cells']}
      empty={<NothingListed icon="access" words={words} filtering={filtering} />}
      details={(key, onClose) => (
        <KeyDetails
          key={key.id}
          accessKey={key}
          policyVersion={keys.policyVersion}
          onToken={token}
          onMoved={(of) => filter.state && setFilter({ of })}
          onClose={onClose}
        />
      )}
    >
      {isNew && (
        <NewKeyDialog policyVersion={keys.policyVersion} onClose={() => setNew(false)} onToken={token} />
      )}
      {made && (
        <TokenOnce
          made={made}
          onStored={() => {
            setMade(null);
            show(made.keyId);
          }}
        />
      )}
    </ListPart>
  );
}

function WaitingKeys({ onShow }: { onShow: () => void }) {
  if (!useWaitingKeys()) return null;
  return (
    <div className={styles['notice']}>
      <Notice
        tone="warn"
        title={words.waitingTitle}
        action={<Button onPress={onShow}>{words.waitingShow}</Button>}
      >
        {words.waitingSentence}
      </Notice>
    </div>
  );
}

function TokenOnce({ made, onStored }: { made: NewToken; onStored: () => void }) {
  return (
    <ShownOnce
      title={words.tokenTitle}
      label={words.token}
      secret={made.token}
      sentence={words.tokenSentence}
      stored={words.stored}
      onStored={onStored}
    />
  );
}
