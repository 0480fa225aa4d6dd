import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usePermission } from '../../../api/queries.ts';
import { t } from '../../../texts/access-webhooks.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ShownOnce } from '../changes/shown-once.tsx';
import { ListPart } from '../lists/list-part.tsx';
import { NewButton } from '../lists/new-button.tsx';
import type { PartProps } from '../part-names.ts';
import { useOpenDetails } from '../use-open-details.ts';
import { WEBHOOK_COLUMNS } from './webhook-columns.tsx';
import { WebhookDetails } from './webhook-details.tsx';
import { NewWebhookDialog } from './webhook-dialog.tsx';
import { type NewSecret, useWebhooks } from './webhook-queries.ts';
import styles from './webhooks.module.css';

const words = t.webhook;

/** The webhooks of integrations, with their deliveries. */
export function WebhooksPart({ id }: PartProps) {
  const webhooks = useWebhooks();
  const show = useOpenDetails('webhooks');
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<NewSecret | null>(null);
  return (
    <ListPart
      part="webhooks"
      id={id}
      title={t.access.webhooks}
      actions={<NewButton part={t.access.webhooks} label={words.new} onPress={() => setNew(true)} />}
      above={
        <>
          <p className={styles['sentence']}>{words.sentence}</p>
          {!webhooks.areOn && <OffNotice />}
        </>
      }
      rows={webhooks}
      labels={{ list: words.list, details: words.details }}
      columns={WEBHOOK_COLUMNS}
      rowClassName={styles['cells']}
      empty={
        <EmptyState icon="bell" title={words.empty}>
          {words.emptySentence}
        </EmptyState>
      }
      details={(webhook, onClose) => (
        <WebhookDetails key={webhook.id} webhook={webhook} onSecret={setMade} onClose={onClose} />
      )}
    >
      {isNew && (
        <NewWebhookDialog
          onClose={() => setNew(false)}
          onMade={(next) => {
            setNew(false);
            setMade(next);
          }}
        />
      )}
      {made && (
        <ShownOnce
          title={words.secretTitle}
          label={words.secret}
          secret={made.secret}
          sentence={words.secretSentence}
          stored={words.stored}
          onStored={() => {
            setMade(null);
            show(made.id);
          }}
        />
      )}
    </ListPart>
  );
}

function OffNotice() {
  const maySet = usePermission('settings:read');
  const way = (
    <Link to="/settings/{-$settingsPage}" params={{ settingsPage: 'access' }}>
      {words.toSettings}
    </Link>
  );
  return (
    <div className={styles['notice']}>
      <Notice tone="warn" title={words.offTitle} action={maySet && way}>
        {words.offSentence}
      </Notice>
    </div>
  );
}
