declare module '*.css' {
  /** The minified rules, which come with the script. */
  const rules: string;
  export default rules;
}
