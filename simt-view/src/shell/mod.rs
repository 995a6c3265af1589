//! What all pages have in common: the document around them, with all that it needs in itself.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;

const STYLE: &str = include_str!("style.css");
const THEME: &str = include_str!("theme.js");

/// A file beside a page, and what it is.
pub(crate) type Link<'l> = (&'l str, &'l str);

/// A page: its title, what it shows, its script, and the data of that.
pub(crate) struct Page<'p, D> {
    pub(crate) title: &'p str,
    /// Files that belong to it, and what they are.
    pub(crate) links: &'p [Link<'p>],
    pub(crate) body: Markup,
    pub(crate) style: &'p str,
    pub(crate) script: &'p str,
    pub(crate) data: &'p D,
}

impl<D: Serialize> Page<'_, D> {
    pub(crate) fn html(&self) -> String {
        let Self { title, links, body, style, script, data } = self;
        let markup = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    // The page has all it needs: nothing is fetched, whatever a name in it says.
                    meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
                    title { (title) }
                    link rel="icon" href="data:,";
                    style { (PreEscaped(STYLE)) (PreEscaped(style)) }
                }
                body {
                    a.skip href="#content" { "Skip to content" }
                    header.top {
                        h1 { (title) }
                        @if !links.is_empty() {
                            nav aria-label="Pages beside this one" { @for (file, what) in *links { a href=(file) { (what) } " " } }
                        }
                        button #theme type="button" { "Dark or light" }
                    }
                    noscript { p.note { "The tables and steps of this page are shown by its own script, which this browser does not run." } }
                    main #content tabindex="-1" { (body) }
                    footer { p { "Made by simt-view " (env!("CARGO_PKG_VERSION")) "." } }
                    script type="application/json" #data { (PreEscaped(embedded(data))) }
                    script { (PreEscaped(THEME)) (PreEscaped(script)) }
                }
            }
        };
        visible(markup.into_string())
    }
}

/// Characters that turn the direction of the text behind them are shown by their numbers: code must not look other than it is.
fn visible(html: String) -> String {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if !html.contains(turns) {
        return html;
    }
    html.chars().fold(String::with_capacity(html.len()), |mut text, c| {
        if turns(c) {
            text += &format!("⟨U+{:X}⟩", u32::from(c));
        } else {
            text.push(c);
        }
        text
    })
}

/// A page that leads to others: of each the file beside this one, its title, and what is on it.
pub fn index(title: &str, pages: &[(String, String, String)]) -> String {
    let body = html! {
        ul.index { @for (file, title, text) in pages { li { a href=(file) { (title) } p.soft { (words(text)) } } } }
    };
    Page { title, links: &[], body, style: "", script: "", data: &() }.html()
}

/// A text whose words between backticks are code.
pub(crate) fn words(text: &str) -> Markup {
    html! { @for (number, part) in text.split('`').enumerate() { @if number % 2 == 1 { code { (part) } } @else { (part) } } }
}

/// Data as JSON that can stand in a script element: nothing in it ends one.
fn embedded(data: &impl Serialize) -> String {
    let json = serde_json::to_string(data).unwrap_or_else(|error| unreachable!("only texts are keys: {error}"));
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    if number < 0.0 && text != "0" { format!("−{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_its_element() {
        assert_eq!(
            embedded(&["</script><script>alert(1)</script>"]),
            r#"["\u003c/script>\u003cscript>alert(1)\u003c/script>"]"#
        );
        assert_eq!(visible("a\u{202e}b\u{2069}".into()), "a⟨U+202E⟩b⟨U+2069⟩");
        assert_eq!(grouped(-0.4), "0");
        assert_eq!([grouped(0.0), grouped(-1234.0), grouped(1e6)], ["0", "−1\u{202f}234", "1\u{202f}000\u{202f}000"]);
    }
}
