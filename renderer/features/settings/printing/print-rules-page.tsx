import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PERMISSIONS } from '../../../../shared/permissions.ts';
import { printRulesQuery } from '../../../api/print-rules.ts';
import { useCanManageMail, usePermission } from '../../../api/queries.ts';
import entries from '../../../parts/entries/entries.module.css';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { t } from '../../../texts/print-rules.ts';
import { Button } from '../../../ui/button.tsx';
import settings from '../settings.module.css';
import { PrintRuleDialog } from './print-rule-dialog.tsx';
import { PrintRuleRow } from './print-rule-row.tsx';

const words = t.printRules;

/** Lists the rules that print received faxes, each with its last printout and its actions. */
export function PrintRulesPage() {
  const mayRead = usePermission('mailboxes:read');
  const maySet = usePermission('settings:write');
  // As for e-mail connectors: a rule gives documents to everyone at the printer.
  const mayChange = useCanManageMail();
  const [isAdding, setAdding] = useState(false);
  return (
    <div className={settings['fields']}>
      <div className={entries['head']}>
        <p className={settings['sentence']}>{mayRead ? words.sentence : words.mayNotRead}</p>
        {mayRead && mayChange && (
          <Button icon="plus" onPress={() => setAdding(true)}>
            {words.add}
          </Button>
        )}
      </div>
      {mayRead && maySet && !mayChange && (
        <p className={settings['sentence']}>{words.mayNotChange(PERMISSIONS['inbound:document'])}</p>
      )}
      {mayRead && <Rules />}
      {isAdding && <PrintRuleDialog onClose={() => setAdding(false)} />}
    </div>
  );
}

function Rules() {
  const rules = useQuery(printRulesQuery);
  if (!rules.data) return <LoadProblem of={rules} />;
  if (rules.data.length === 0) return <p className={entries['none']}>{words.empty}</p>;
  return (
    <ul className={entries['list']} aria-label={words.list}>
      {rules.data.map((rule) => (
        <PrintRuleRow key={rule.id} rule={rule} />
      ))}
    </ul>
  );
}
