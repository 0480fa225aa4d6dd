import { useState } from 'react';
import { openedAddress } from '../../api/page-token.ts';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/sent.ts';
import { Button } from '../../ui/button.tsx';
import { dayBefore } from '../../ui/date-filter.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { TextField } from '../../ui/field.tsx';

/** Button for the transmission reports of a day, in one file; nothing for people who may open no documents. */
export function DayReports() {
  const [isOpen, setOpen] = useState(false);
  const mayOpen = usePermission('fax:document');
  const words = t.sent.dayReports;
  if (!mayOpen) return null;
  return (
    <>
      <Button icon="report" onPress={() => setOpen(true)}>
        {words.title}
      </Button>
      <Dialog
        title={words.title}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        kind="form"
        helpPage="reports#reports-of-a-day"
      >
        <DayForm />
      </Dialog>
    </>
  );
}

function DayForm() {
  const [day, setDay] = useState(() => dayBefore(0));
  const words = t.sent.dayReports;
  return (
    <>
      <p>{words.sentence}</p>
      <TextField label={words.day} type="date" value={day} onChange={setDay} />
      {day !== '' && (
        <DownloadLink
          href={openedAddress(`/fax/reports?${new URLSearchParams({ date: day, purpose: 'download' })}`)}
        >
          {words.save}
        </DownloadLink>
      )}
    </>
  );
}
