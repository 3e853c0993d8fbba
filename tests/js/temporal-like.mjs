// Values with the tags and fields of the Temporal API, which Node 20 does not have.

const like = (kind, fields) => Object.assign(Object.create({ [Symbol.toStringTag]: `Temporal.${kind}` }), fields);

const timeFields = ([hour, minute = 0, second = 0, millisecond = 0, microsecond = 0, nanosecond = 0]) => ({
  hour,
  minute,
  second,
  millisecond,
  microsecond,
  nanosecond,
});
const dateFields = ([year, month, day]) => ({ calendarId: 'iso8601', year, month, day });

export const instant = (epochNanoseconds) => like('Instant', { epochNanoseconds });
export const zonedDateTime = (epochNanoseconds) =>
  like('ZonedDateTime', { epochNanoseconds, timeZoneId: 'Asia/Tokyo' });
export const plainDate = (...date) => like('PlainDate', dateFields(date));
export const plainTime = (...time) => like('PlainTime', timeFields(time));
export const plainDateTime = (date, time) => like('PlainDateTime', { ...dateFields(date), ...timeFields(time) });
/** Of a calendar that counts years from 543 BC, which is not the one that columns count by. */
export const buddhistDate = (year, month, day) =>
  like('PlainDate', {
    calendarId: 'buddhist',
    year: year + 543,
    month,
    day,
    withCalendar: () => plainDate(year, month, day),
  });
export const other = (kind) => like(kind, { months: 1, days: 1 });
