/** Long runs of marks, which Unicode's normal forms sort in quadratic time. U+FF9E and U+FF9F become marks. */
const MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** The text with the first 30 marks of each run: no letter has more, and it is normalized in linear time. */
export const withFewMarks = (text: string): string => text.replace(MANY_MARKS, '$1');
