//! Who may ask: requests that carry the token, to this machine by its own name, from a page that this server gave.

use std::net::IpAddr;

/// What a request says of where it comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RequestHead<'r> {
    /// Its address, as in `/TOKEN/index.html`.
    pub(super) url: &'r str,
    pub(super) host: Option<&'r str>,
    pub(super) origin: Option<&'r str>,
    /// What a browser says of the page that asks.
    pub(super) site: Option<&'r str>,
}

/// What lets a request in.
#[derive(Clone, Debug)]
pub(super) struct Access {
    token: String,
    /// The address that is listened on.
    own: IpAddr,
}

impl Access {
    pub(super) fn new(token: String, own: IpAddr) -> Self {
        Self { token, own }
    }

    /// What of the address follows the token; `None` of a request that is not let in.
    ///
    /// A host by another name is how a foreign page reaches a local server (DNS rebinding); one that is an address cannot
    /// be rebound.
    pub(super) fn path<'r>(&self, head: RequestHead<'r>) -> Option<&'r str> {
        let host = head.host?;
        if !self.is_own(host) {
            return None;
        }
        let from = head.origin.map(|origin| origin.strip_prefix("http://"));
        if from.is_some_and(|from| from != Some(host)) {
            return None;
        }
        if matches!(head.site, Some("cross-site" | "same-site")) {
            return None;
        }
        let path = head.url.split(['?', '#']).next()?.strip_prefix('/')?;
        let (token, rest) = path.split_once('/')?;
        is_same(token, &self.token).then_some(rest)
    }

    fn is_own(&self, host: &str) -> bool {
        let name = match host.strip_prefix('[') {
            Some(rest) => rest.split_once(']').map_or(rest, |(name, _)| name),
            None => host.split_once(':').map_or(host, |(name, _)| name),
        };
        let address: Option<IpAddr> = name.parse().ok();
        let is_reached = |one: IpAddr| one == self.own || self.own.is_unspecified();
        name == "localhost" || address.is_some_and(|one| one.is_loopback() || is_reached(one))
    }
}

/// Compares in a time that does not depend on where two texts differ.
fn is_same(one: &str, other: &str) -> bool {
    let differ = one
        .bytes()
        .zip(other.bytes())
        .fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[test]
    fn only_the_page_itself_is_let_in() {
        let access = Access::new("secret".to_owned(), Ipv4Addr::LOCALHOST.into());
        let good = RequestHead {
            url: "/secret/a/b?c",
            host: Some("127.0.0.1:8000"),
            origin: Some("http://127.0.0.1:8000"),
            site: Some("same-origin"),
        };
        assert_eq!(access.path(good), Some("a/b"));
        let tunnel = RequestHead {
            host: Some("localhost:9000"),
            origin: None,
            site: None,
            ..good
        };
        assert_eq!(access.path(tunnel), Some("a/b"));
        let six = RequestHead {
            host: Some("[::1]:1"),
            origin: None,
            ..good
        };
        assert_eq!(access.path(six), Some("a/b"));
        for bad in [
            RequestHead {
                url: "/a/b",
                ..good
            },
            RequestHead {
                url: "/secre/a",
                ..good
            },
            RequestHead {
                url: "/secret1/a",
                ..good
            },
            RequestHead {
                url: "/secret",
                ..good
            },
            RequestHead {
                url: "//secret/a",
                ..good
            },
            RequestHead { host: None, ..good },
            RequestHead {
                host: Some("evil.example:8000"),
                ..good
            },
            RequestHead {
                host: Some("127.0.0.1.evil.example"),
                origin: None,
                ..good
            },
            RequestHead {
                host: Some("10.0.0.1:8000"),
                origin: None,
                ..good
            },
            RequestHead {
                origin: Some("https://evil.example"),
                ..good
            },
            RequestHead {
                origin: Some("http://127.0.0.1:9"),
                ..good
            },
            RequestHead {
                origin: Some("null"),
                ..good
            },
            RequestHead {
                site: Some("cross-site"),
                origin: None,
                ..good
            },
        ] {
            assert_eq!(access.path(bad), None, "{bad:?}");
        }
    }
}
